import type { PageStep } from "../../core/page/page-step.ts";

/** The words of the page as it is without its script, in the languages that it speaks. */
type PageWords = {
  readonly order: string;
  readonly backToShop: string;
  readonly otherLanguage: { readonly code: "en" | "ru"; readonly name: string };
  readonly needsScript: string;
  readonly footer: string;
  readonly toBank: string;
  readonly lookAgain: string;
  readonly payBefore: string;
  readonly steps: Readonly<Record<PageStep, { readonly heading: string; readonly text?: string }>>;
  readonly requisites: Readonly<Record<string, string>>;
};

export const PAGE_WORDS: Readonly<Record<"en" | "ru", PageWords>> = {
  en: {
    order: "Order",
    backToShop: "Back to the shop",
    otherLanguage: { code: "ru", name: "Русский" },
    needsScript: "To choose how to pay, to confirm or to cancel, switch JavaScript on in your browser.",
    footer: "Secure payment page",
    toBank: "Continue to the bank",
    lookAgain: "Load this page again",
    payBefore: "Pay before",
    steps: {
      choose: { heading: "How would you like to pay?" },
      prepare: { heading: "One moment", text: "The payment is being prepared. Load this page again in a moment." },
      transfer: {
        heading: "Make the transfer",
        text: "Send exactly this amount to the receiver below, in one transfer.",
      },
      overdue: {
        heading: "The time is over",
        text: "If you have sent the money, it may still be counted; do not send it any more.",
      },
      challenge: { heading: "Confirm with your bank", text: "Your bank wants to make sure that it is you." },
      check: { heading: "Checking your payment", text: "Load this page again in a moment to see how it stands." },
      attention: {
        heading: "Your payment needs a closer look",
        text: "A person is looking at your payment. Your money is not lost.",
      },
      success: { heading: "Payment received", text: "Thank you. The shop knows already." },
      decline: { heading: "The payment was not made", text: "To try again, go back to the shop." },
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
    backToShop: "Вернуться в магазин",
    otherLanguage: { code: "en", name: "English" },
    needsScript: "Чтобы выбрать способ оплаты, подтвердить или отменить платёж, включите JavaScript в браузере.",
    footer: "Защищённая страница оплаты",
    toBank: "Перейти в банк",
    lookAgain: "Обновить страницу",
    payBefore: "Оплатите до",
    steps: {
      choose: { heading: "Как вы хотите заплатить?" },
      prepare: { heading: "Одну минуту", text: "Платёж готовится. Обновите страницу через несколько секунд." },
      transfer: { heading: "Сделайте перевод", text: "Переведите ровно эту сумму получателю ниже, одним переводом." },
      overdue: {
        heading: "Время вышло",
        text: "Если деньги отправлены, их ещё могут зачесть; больше не отправляйте.",
      },
      challenge: { heading: "Подтвердите оплату в банке", text: "Банк хочет убедиться, что это вы." },
      check: { heading: "Проверяем платёж", text: "Обновите страницу через несколько секунд." },
      attention: { heading: "Платёж требует проверки", text: "Платёж проверяет сотрудник. Ваши деньги не потеряны." },
      success: { heading: "Оплата получена", text: "Спасибо. Магазин уже знает об оплате." },
      decline: { heading: "Оплата не прошла", text: "Чтобы попробовать ещё раз, вернитесь в магазин." },
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
