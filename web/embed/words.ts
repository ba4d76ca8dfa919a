const EN = {
  title: "Payment",
  close: "Close",
  question: "The payment is not finished. Close it?",
  yes: "Close",
  no: "Go on paying",
};

const WORDS = {
  en: EN,
  ru: {
    title: "Оплата",
    close: "Закрыть",
    question: "Оплата не завершена. Закрыть?",
    yes: "Закрыть",
    no: "Продолжить оплату",
  },
  kk: {
    title: "Төлем",
    close: "Жабу",
    question: "Төлем аяқталған жоқ. Жабу керек пе?",
    yes: "Жабу",
    no: "Төлеуді жалғастыру",
  },
  uz: {
    title: "Toʻlov",
    close: "Yopish",
    question: "Toʻlov tugallanmagan. Yopilsinmi?",
    yes: "Yopish",
    no: "Toʻlashda davom etish",
  },
  az: {
    title: "Ödəniş",
    close: "Bağla",
    question: "Ödəniş tamamlanmayıb. Bağlansın?",
    yes: "Bağla",
    no: "Ödənişə davam et",
  },
  ky: {
    title: "Төлөм",
    close: "Жабуу",
    question: "Төлөм бүтө элек. Жабылсынбы?",
    yes: "Жабуу",
    no: "Төлөөнү улантуу",
  },
  tg: {
    title: "Пардохт",
    close: "Пӯшидан",
    question: "Пардохт анҷом наёфтааст. Пӯшида шавад?",
    yes: "Пӯшидан",
    no: "Идомаи пардохт",
  },
  es: {
    title: "Pago",
    close: "Cerrar",
    question: "El pago no ha terminado. ¿Desea cerrarlo?",
    yes: "Cerrar",
    no: "Seguir con el pago",
  },
} satisfies Readonly<Record<string, typeof EN>>;

/** Of a language's name such as `kk` or `es-MX`; English where it is not one of ours. */
export function wordsOf(name: string): typeof EN & { readonly language: string } {
  const wanted = name.toLowerCase().split("-")[0];
  const language = (Object.keys(WORDS) as (keyof typeof WORDS)[]).find((each) => each === wanted) ?? "en";
  return { language, ...WORDS[language] };
}
