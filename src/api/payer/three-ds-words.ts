import type { PageLanguage } from "../../app/page/page-language.ts";

type Notice = { readonly title: string; readonly heading: string; readonly text: string };

/** What payers read on the way to their bank and back. */
type ThreeDsWords = {
  readonly notFound: Notice;
  readonly tooFast: Notice;
  readonly toBank: { readonly title: string; readonly text: string; readonly button: string; readonly frame: string };
  readonly toPayment: { readonly title: string; readonly heading: string };
  readonly toShop: { readonly title: string; readonly text: string };
  readonly ends: Readonly<
    Record<"success" | "decline" | "givenBack" | "underWay", { readonly title: string; readonly text: string }>
  >;
};

export const THREE_DS_WORDS: Readonly<Record<PageLanguage, ThreeDsWords>> = {
  en: {
    notFound: {
      title: "Not found",
      heading: "There is no such payment",
      text: "The link may be incomplete. Go back to the shop and try again.",
    },
    tooFast: {
      title: "One moment",
      heading: "Too many requests",
      text: "Wait a moment, and then load this page again.",
    },
    toBank: {
      title: "Going to your bank",
      text: "Your bank wants to make sure that it is you. This takes a moment.",
      button: "Continue to the bank",
      frame: "The bank looks at this browser",
    },
    toPayment: { title: "Back to the payment", heading: "Thank you" },
    toShop: { title: "Back to the shop", text: "You are being sent back to the shop." },
    ends: {
      success: { title: "Payment received", text: "Thank you. You can close this page." },
      decline: { title: "Payment declined", text: "Nothing was paid. Go back to the shop to try again." },
      givenBack: {
        title: "Payment declined",
        text: "Your card was charged too late, and the money is given back to it.",
      },
      underWay: {
        title: "Payment under way",
        text: "The shop will tell you as soon as it is done. You can close this page.",
      },
    },
  },
  ru: {
    notFound: {
      title: "Не найдено",
      heading: "Такого платежа нет",
      text: "Возможно, ссылка неполная. Вернитесь в магазин и попробуйте снова.",
    },
    tooFast: {
      title: "Один момент",
      heading: "Слишком много запросов",
      text: "Подождите немного и загрузите эту страницу снова.",
    },
    toBank: {
      title: "Переход к вашему банку",
      text: "Банк хочет убедиться, что это вы. Это займёт немного времени.",
      button: "Перейти к банку",
      frame: "Банк проверяет этот браузер",
    },
    toPayment: { title: "Вернуться к платежу", heading: "Спасибо" },
    toShop: { title: "Вернуться в магазин", text: "Возвращаем вас в магазин." },
    ends: {
      success: { title: "Платёж получен", text: "Спасибо. Эту страницу можно закрыть." },
      decline: { title: "Платёж отклонён", text: "Ничего не списано. Вернитесь в магазин и попробуйте снова." },
      givenBack: {
        title: "Платёж отклонён",
        text: "Списание прошло слишком поздно, деньги возвращаются на вашу карту.",
      },
      underWay: {
        title: "Платёж обрабатывается",
        text: "Магазин сообщит вам о результате. Эту страницу можно закрыть.",
      },
    },
  },
};
