import type { Mail, Mailer } from "../../platform/mail.ts";

/** What people are told by e-mail, in their language. */
export type NoticeLanguage = "en" | "ru";
export type Notice = { readonly to: string; readonly language: NoticeLanguage } & (
  | { readonly kind: "invitation"; readonly merchantName: string; readonly role: string; readonly link: string }
  | { readonly kind: "password_reset"; readonly link: string }
  | { readonly kind: "new_sign_in"; readonly address: string; readonly browser: string }
  | ({ readonly kind: "key_expires"; readonly link: string } & ExpiringKey)
  | {
      readonly kind: "payout_approval";
      readonly merchantName: string;
      readonly author: string;
      readonly sums: readonly string[];
      readonly link: string;
    }
);

type ExpiringKey = {
  readonly keyId: string;
  readonly label: string;
  readonly merchantName: string;
  /** Null: a key for all projects of the book. */
  readonly projectName: string | null;
  readonly book: "test" | "live";
  readonly notAfter: Date;
};

/**
 * Sends a notice, once the change that it is about is committed. It does not wait for the mail server, and what fails is logged.
 * Undefined where no mail server is set: then links are shown to the one who invites.
 */
export type SendNotice = ((notice: Notice) => void) | undefined;

export function openSendNotice(mailer: Mailer | undefined): SendNotice {
  return mailer === undefined ? undefined : (notice) => mailer.send(renderNotice(notice));
}

export function renderNotice(notice: Notice): Mail {
  const { subject, lines } = notice.language === "ru" ? inRussian(notice) : inEnglish(notice);
  return { to: notice.to, subject: oneLine(subject), text: `${lines.join("\n\n")}\n` };
}

type Words = { readonly subject: string; readonly lines: readonly string[] };

function inEnglish(notice: Notice): Words {
  switch (notice.kind) {
    case "invitation":
      return {
        subject: `Invitation to the account of ${notice.merchantName}`,
        lines: [
          `You are invited to the account of ${oneLine(notice.merchantName)} at Tillgate as ${notice.role}.`,
          `Open this link within 72 hours. It works once:\n${notice.link}`,
          "If you do not know what this is about, ignore this message.",
        ],
      };
    case "password_reset":
      return {
        subject: "A new password for your Tillgate account",
        lines: [
          `Open this link within one hour to choose a new password. It works once:\n${notice.link}`,
          "If you did not ask for it, ignore this message: your password stays as it is.",
        ],
      };
    case "new_sign_in":
      return {
        subject: "New sign-in to your Tillgate account",
        lines: [
          `Your account was signed in to from the address ${oneLine(notice.address)}.\nBrowser: ${oneLine(notice.browser)}`,
          "If it was not you, change your password at once and end the other sessions.",
        ],
      };
    case "key_expires":
      return {
        subject: `API key ${keyName(notice)} of ${notice.merchantName} ends on ${dayOf(notice)}`,
        lines: [
          `The API key ${oneLine(keyName(notice))} of ${oneLine(notice.merchantName)} ends on ${momentOf(notice)}.\nIt works for ${
            notice.projectName === null
              ? `all ${notice.book} projects`
              : `the ${notice.book} project ${oneLine(notice.projectName)}`
          }.`,
          `From then on the API refuses requests that are signed with it. Replace it before:\n${notice.link}`,
          "If your server has another key already, you need to do nothing.",
        ],
      };
    case "payout_approval":
      return {
        subject: `Payouts of ${notice.merchantName} wait for your approval`,
        lines: [
          `${oneLine(notice.author)} prepared payouts for ${oneLine(notice.merchantName)}: ${notice.sums.join(", ")}.`,
          `Look at them, and approve or refuse them:\n${notice.link}`,
          "Nothing is paid until then.",
        ],
      };
  }
}

function inRussian(notice: Notice): Words {
  switch (notice.kind) {
    case "invitation":
      return {
        subject: `Приглашение в кабинет ${notice.merchantName}`,
        lines: [
          `Вас приглашают в кабинет ${oneLine(notice.merchantName)} в Tillgate, роль: ${notice.role}.`,
          `Откройте эту ссылку в течение 72 часов. Она действует один раз:\n${notice.link}`,
          "Если вы не знаете, о чём речь, не обращайте внимания на это письмо.",
        ],
      };
    case "password_reset":
      return {
        subject: "Новый пароль для кабинета Tillgate",
        lines: [
          `Откройте эту ссылку в течение часа и выберите новый пароль. Она действует один раз:\n${notice.link}`,
          "Если вы об этом не просили, не обращайте внимания на это письмо: пароль останется прежним.",
        ],
      };
    case "new_sign_in":
      return {
        subject: "Новый вход в кабинет Tillgate",
        lines: [
          `В ваш кабинет вошли с адреса ${oneLine(notice.address)}.\nБраузер: ${oneLine(notice.browser)}`,
          "Если это были не вы, сразу смените пароль и завершите другие сеансы.",
        ],
      };
    case "key_expires":
      return {
        subject: `API-ключ ${keyName(notice)} компании ${notice.merchantName} действует до ${dayOf(notice)}`,
        lines: [
          `API-ключ ${oneLine(keyName(notice))} компании ${oneLine(notice.merchantName)} действует до ${momentOf(notice)}.\n${
            notice.projectName === null
              ? `Он подходит ко всем ${notice.book === "test" ? "тестовым" : "боевым"} проектам.`
              : `Он подходит к ${notice.book === "test" ? "тестовому" : "боевому"} проекту ${oneLine(notice.projectName)}.`
          }`,
          `После этого API будет отклонять запросы с его подписью. Замените ключ заранее:\n${notice.link}`,
          "Если у вашего сервера уже есть другой ключ, ничего делать не нужно.",
        ],
      };
    case "payout_approval":
      return {
        subject: `Выплаты ${notice.merchantName} ждут вашего одобрения`,
        lines: [
          `${oneLine(notice.author)} подготовил(а) выплаты ${oneLine(notice.merchantName)}: ${notice.sums.join(", ")}.`,
          `Проверьте их, затем одобрите или отклоните:\n${notice.link}`,
          "До этого ничего не будет выплачено.",
        ],
      };
  }
}

function keyName({ label, keyId }: ExpiringKey): string {
  return label === "" ? keyId : `“${label}”`;
}

function dayOf({ notAfter }: ExpiringKey): string {
  return notAfter.toISOString().slice(0, "2026-01-31".length);
}

function momentOf({ notAfter }: ExpiringKey): string {
  return `${notAfter.toISOString().slice(0, "2026-01-31T10:00".length).replace("T", " ")} UTC`;
}

/** Names and browsers are others' words: they stay on their line. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, " ").slice(0, 200);
}
