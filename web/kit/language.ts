/** The languages that pages speak. */
export type Language = "en" | "ru";
