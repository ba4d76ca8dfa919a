import type { SandboxWords } from "./sandbox-words.ts";

export const en: SandboxWords = {
  separators: [",", "."],
  rooms: { transfer: "Transfer", confirmation: "Confirmation", card: "Card payment" },
  note: "This is a sandbox: no bank is asked and no money moves.",
  details: { merchant: "Merchant", amount: "Amount", card: "Card" },
  continue: "Continue",
  cancel: "Cancel",
  code: {
    title: "Confirm your payment",
    text: "Your bank wants to be sure that it is you who pays.",
    label: "Confirmation code",
    confirm: "Confirm",
    hint: (code) => `The code is ${code}.`,
    troubles: {
      wrong: "That code is wrong.",
      missing: "Enter the code.",
      outdated: "This page was out of date. Enter the code again.",
    },
    lastTry: "This is your last try.",
    triesLeft: (count) => `You have ${count} tries left.`,
  },
  returned: {
    passed: { title: "Confirmed", text: "You are being taken back to finish the payment." },
    failed: { title: "Not confirmed", text: "The payment was declined. You are being taken back." },
  },
  deviceCheck: "Device check",
  checkout: {
    title: "Pay by card",
    text: "You pay here and then return to the merchant.",
    pay: "Pay",
    note: "This is a sandbox: no money moves.",
  },
  ended: {
    title: "Payment finished",
    texts: {
      approved: "The payment was approved.",
      pending: "The payment is being processed.",
      reversed: "The payment was given back.",
      notMade: "The payment was not made.",
    },
    back: "Back to the merchant",
  },
  unknown: {
    title: "Nothing to confirm",
    text: "This page is opened by a shop during a payment. Go back to the shop and try again.",
  },
  cancelled: {
    title: "Nothing to confirm any more",
    text: "The merchant cancelled this payment by card. The card is not charged.",
  },
  bank: {
    titles: { confirm: "Confirm the transfer", paid: "Paid", refused: "Not paid" },
    texts: {
      asked: "A merchant asks you for this payment.",
      paid: "The money is on its way to the merchant. You can go back to the shop.",
      refused: "Nothing was sent, and nothing will be. You can go back to the shop, or still pay.",
      again: "You have paid already. What you pay now is paid again.",
      late: "The time to pay is over. Money that you send now is late.",
    },
    toPay: "To pay",
    paidSoFar: "Paid so far",
    payment: "Payment",
    pay: (sum) => `Pay ${sum}`,
    payAgain: (sum) => `Pay again: ${sum}`,
    refuse: "Do not pay",
    otherAmount: (currency) => `Another amount, in ${currency}`,
    payOther: "Pay another amount",
    troubles: {
      wrong_amount: "Enter an amount, such as 2490.00.",
      outdated: "This page was out of date. Look at it again before you pay.",
    },
  },
  noLink: {
    title: "Nothing to pay",
    text: "This page is opened by a payment link or its QR code. Go back to the shop and try again.",
  },
};
