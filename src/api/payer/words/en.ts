import type { PayerWords } from "./payer-words.ts";

export const en: PayerWords = {
  page: {
    order: "Order",
    backToShop: "Back to the shop",
    language: "Language",
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
  missing: {
    unknown: {
      title: "There is no such payment",
      text: "The link may be incomplete. Go back to the shop and try again.",
    },
    tooMany: { title: "Too many tries", text: "Wait a minute, then load this page again." },
    broken: {
      title: "This page cannot be shown now",
      text: "Your payment is not lost. Wait a minute, then load this page again. If you have sent money, do not send it again.",
    },
  },
  threeDs: {
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
  sandbox: {
    unknown: { title: "Nothing to pay", text: "Go back to the shop and try again." },
    tooFast: { title: "Too many tries", text: "Wait a moment, then load this page again." },
    silent: { title: "The sandbox does not answer", text: "Wait a moment, then load this page again." },
  },
};
