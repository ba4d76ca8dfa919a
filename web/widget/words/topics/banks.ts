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
    openApp: (bank) => `Open ${bank}`,
    pasteInApp: (bank) => `Paste the number in the app: ${bank}`,
  },
  ru: {
    groups: { last: "Ваш прошлый выбор", popular: "Популярные", all: "Другие банки" },
    openApp: (bank) => `Открыть «${bank}»`,
    pasteInApp: (bank) => `Вставьте номер в приложении: ${bank}`,
  },
  kk: {
    groups: { last: "Соңғы таңдауыңыз", popular: "Танымал", all: "Басқа банктер" },
    openApp: (bank) => `«${bank}» ашу`,
    pasteInApp: (bank) => `Нөмірді қолданбаға қойыңыз: ${bank}`,
  },
  uz: {
    groups: { last: "Oxirgi tanlovingiz", popular: "Ommabop", all: "Boshqa banklar" },
    openApp: (bank) => `${bank}: ilovani ochish`,
    pasteInApp: (bank) => `Raqamni ilovaga qoʻying: ${bank}`,
  },
  az: {
    groups: { last: "Son seçiminiz", popular: "Populyar", all: "Digər banklar" },
    openApp: (bank) => `${bank}: tətbiqi aç`,
    pasteInApp: (bank) => `Nömrəni tətbiqə yapışdırın: ${bank}`,
  },
  ky: {
    groups: { last: "Акыркы тандооңуз", popular: "Популярдуу", all: "Башка банктар" },
    openApp: (bank) => `«${bank}» ачуу`,
    pasteInApp: (bank) => `Номерди колдонмого коюңуз: ${bank}`,
  },
  tg: {
    groups: { last: "Интихоби охирини шумо", popular: "Маъмул", all: "Бонкҳои дигар" },
    openApp: (bank) => `«${bank}»-ро кушодан`,
    pasteInApp: (bank) => `Рақамро дар барнома гузоред: ${bank}`,
  },
  es: {
    groups: { last: "Su última elección", popular: "Populares", all: "Otros bancos" },
    openApp: (bank) => `Abrir ${bank}`,
    pasteInApp: (bank) => `Pegue el número en la app: ${bank}`,
  },
} satisfies Topic<BankWords>;
