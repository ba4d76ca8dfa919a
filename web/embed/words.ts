const EN = {
  language: "en",
  title: "Payment",
  close: "Close",
  question: "The payment is not finished. Close it?",
  yes: "Close",
  no: "Go on paying",
};

const RU: typeof EN = {
  language: "ru",
  title: "Оплата",
  close: "Закрыть",
  question: "Оплата не завершена. Закрыть?",
  yes: "Закрыть",
  no: "Продолжить оплату",
};

export function wordsOf(language: string): typeof EN {
  return /^ru\b/i.test(language) ? RU : EN;
}
