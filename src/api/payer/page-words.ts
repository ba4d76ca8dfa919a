import type { PageStep } from "../../core/payment/page-step.ts";

/** The words of the page as it is without its script, in the languages that it speaks. */
type PageWords = {
  readonly order: string;
  readonly amount: string;
  readonly backToShop: string;
  readonly otherLanguage: { readonly code: "en" | "ru"; readonly name: string };
  readonly needsScript: string;
  readonly steps: Readonly<Record<PageStep, string>>;
  readonly requisites: Readonly<Record<string, string>>;
};

export const PAGE_WORDS: Readonly<Record<"en" | "ru", PageWords>> = {
  en: {
    order: "Order",
    amount: "Amount",
    backToShop: "Back to the shop",
    otherLanguage: { code: "ru", name: "Русский" },
    needsScript: "To choose how to pay, to confirm or to cancel, switch JavaScript on in your browser.",
    steps: {
      choose: "How would you like to pay?",
      prepare: "The payment is being prepared. This page looks again by itself.",
      transfer: "Send exactly this amount to the receiver below, in one transfer.",
      overdue: "The time is over. If you have sent the money, it may still be counted; do not send it any more.",
      challenge: "Your bank asks you to confirm the payment.",
      check: "The payment is being checked. This page looks again by itself.",
      attention: "A person is looking at your payment. Your money is not lost.",
      success: "Payment received. Thank you.",
      decline: "The payment was not made. To try again, go back to the shop.",
    },
    requisites: {
      pan: "Card number",
      phone: "Phone number",
      account_number: "Account number",
      url: "Payment link",
      holder: "Receiver",
      bank_name: "Bank",
    },
  },
  ru: {
    order: "Заказ",
    amount: "Сумма",
    backToShop: "Вернуться в магазин",
    otherLanguage: { code: "en", name: "English" },
    needsScript: "Чтобы выбрать способ оплаты, подтвердить или отменить платёж, включите JavaScript в браузере.",
    steps: {
      choose: "Как вы хотите заплатить?",
      prepare: "Платёж готовится. Страница обновится сама.",
      transfer: "Переведите ровно эту сумму получателю ниже, одним переводом.",
      overdue: "Время вышло. Если деньги отправлены, их ещё могут зачесть; больше не отправляйте.",
      challenge: "Банк просит подтвердить оплату.",
      check: "Платёж проверяется. Страница обновится сама.",
      attention: "Платёж проверяет сотрудник. Ваши деньги не потеряны.",
      success: "Оплата получена. Спасибо.",
      decline: "Оплата не прошла. Чтобы попробовать ещё раз, вернитесь в магазин.",
    },
    requisites: {
      pan: "Номер карты",
      phone: "Номер телефона",
      account_number: "Номер счёта",
      url: "Ссылка на оплату",
      holder: "Получатель",
      bank_name: "Банк",
    },
  },
};
