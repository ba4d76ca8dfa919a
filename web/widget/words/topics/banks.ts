import type { Topic } from "../topic.ts";

type BankWords = {
  readonly groups: Readonly<Record<"last" | "popular" | "all", string>>;
  readonly openApp: (bank: string) => string;
  readonly pasteInApp: (bank: string) => string;
};

/** Choosing the bank, and going over to its app. */
export const BANK_WORDS = {
  en: {
    groups: { last: "Your last choice", popular: "Popular", all: "Other banks" },
    openApp: (bank) => `Open the ${bank} app`,
    pasteInApp: (bank) => `Copy the number and paste it in the app of your bank: ${bank}.`,
  },
  ru: {
    groups: { last: "Ваш прошлый выбор", popular: "Популярные", all: "Другие банки" },
    openApp: (bank) => `Открыть приложение «${bank}»`,
    pasteInApp: (bank) => `Скопируйте номер и вставьте его в приложении вашего банка: ${bank}.`,
  },
  kk: {
    groups: { last: "Соңғы таңдауыңыз", popular: "Танымал", all: "Басқа банктер" },
    openApp: (bank) => `«${bank}» қосымшасын ашу`,
    pasteInApp: (bank) => `Нөмірді көшіріп, банкіңіздің қосымшасына қойыңыз: ${bank}.`,
  },
  uz: {
    groups: { last: "Oxirgi tanlovingiz", popular: "Ommabop", all: "Boshqa banklar" },
    openApp: (bank) => `${bank} ilovasini ochish`,
    pasteInApp: (bank) => `Raqamni nusxalab, bankingiz ilovasiga qoʻying: ${bank}.`,
  },
  az: {
    groups: { last: "Son seçiminiz", popular: "Populyar", all: "Digər banklar" },
    openApp: (bank) => `${bank} tətbiqini aç`,
    pasteInApp: (bank) => `Nömrəni kopyalayın və bankınızın tətbiqinə yapışdırın: ${bank}.`,
  },
  ky: {
    groups: { last: "Акыркы тандооңуз", popular: "Популярдуу", all: "Башка банктар" },
    openApp: (bank) => `«${bank}» колдонмосун ачуу`,
    pasteInApp: (bank) => `Номерди көчүрүп, банкыңыздын колдонмосуна коюңуз: ${bank}.`,
  },
  tg: {
    groups: { last: "Интихоби охирини шумо", popular: "Маъмул", all: "Бонкҳои дигар" },
    openApp: (bank) => `Кушодани барномаи «${bank}»`,
    pasteInApp: (bank) => `Рақамро нусха бардошта, дар барномаи бонки худ гузоред: ${bank}.`,
  },
  es: {
    groups: { last: "Su última elección", popular: "Populares", all: "Otros bancos" },
    openApp: (bank) => `Abrir la app de ${bank}`,
    pasteInApp: (bank) => `Copie el número y péguelo en la app de su banco: ${bank}.`,
  },
} satisfies Topic<BankWords>;
