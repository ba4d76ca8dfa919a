/** The languages that payers' pages speak. */
export type PageLanguage = "en" | "ru" | "kk" | "uz" | "az" | "ky" | "tg" | "es";
