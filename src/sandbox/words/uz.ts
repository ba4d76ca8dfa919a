import type { SandboxWords } from "./sandbox-words.ts";

export const uz: SandboxWords = {
  separators: ["\u00a0", ","],
  rooms: { transfer: "Oʻtkazma", confirmation: "Tasdiqlash", card: "Karta bilan toʻlash" },
  note: "Bu sinov muhiti: bank ishtirok etmaydi, pul oʻtkazilmaydi.",
  details: { merchant: "Sotuvchi", amount: "Summa", card: "Karta" },
  continue: "Davom etish",
  cancel: "Bekor qilish",
  code: {
    title: "Toʻlovni tasdiqlang",
    text: "Bank aynan siz toʻlayotganingizga ishonch hosil qilmoqchi.",
    label: "Tasdiqlash kodi",
    confirm: "Tasdiqlash",
    hint: (code) => `Kod: ${code}.`,
    troubles: {
      wrong: "Kod notoʻgʻri.",
      missing: "Kodni kiriting.",
      outdated: "Sahifa eskirgan. Kodni qayta kiriting.",
    },
    lastTry: "Bu oxirgi urinish.",
    triesLeft: (count) => `${count} ta urinish qoldi.`,
  },
  returned: {
    passed: { title: "Tasdiqlandi", text: "Toʻlovni yakunlash uchun sizni qaytarmoqdamiz." },
    failed: { title: "Tasdiqlanmadi", text: "Toʻlov rad etildi. Sizni qaytarmoqdamiz." },
  },
  deviceCheck: "Qurilmani tekshirish",
  checkout: {
    title: "Karta bilan toʻlash",
    text: "Shu yerda toʻlaysiz, soʻng sotuvchiga qaytasiz.",
    pay: "Toʻlash",
    note: "Bu sinov muhiti: pul oʻtkazilmaydi.",
  },
  ended: {
    title: "Toʻlov yakunlandi",
    texts: {
      approved: "Toʻlov maʼqullandi.",
      pending: "Toʻlov bajarilmoqda.",
      reversed: "Pul qaytarildi.",
      notMade: "Toʻlov amalga oshmadi.",
    },
    back: "Sotuvchiga qaytish",
  },
  unknown: {
    title: "Tasdiqlanadigan narsa yoʻq",
    text: "Bu sahifani toʻlov vaqtida doʻkon ochadi. Doʻkonga qaytib, qayta urinib koʻring.",
  },
  cancelled: {
    title: "Endi tasdiqlanadigan narsa yoʻq",
    text: "Sotuvchi bu karta toʻlovini bekor qildi. Kartadan pul yechilmaydi.",
  },
  bank: {
    titles: { confirm: "Oʻtkazmani tasdiqlang", paid: "Toʻlandi", refused: "Toʻlanmadi" },
    texts: {
      asked: "Sotuvchi sizdan ushbu toʻlovni soʻramoqda.",
      paid: "Pul sotuvchiga yuborildi. Doʻkonga qaytishingiz mumkin.",
      refused: "Hech narsa yuborilmadi va yuborilmaydi. Doʻkonga qaytishingiz yoki baribir toʻlashingiz mumkin.",
      again: "Siz allaqachon toʻlagansiz. Hozir toʻlasangiz, bu ikkinchi toʻlov boʻladi.",
      late: "Toʻlash vaqti tugadi. Hozir yuborilgan pul kech keladi.",
    },
    toPay: "Toʻlanadigan summa",
    paidSoFar: "Toʻlangan",
    payment: "Toʻlov",
    pay: (sum) => `${sum} toʻlash`,
    payAgain: (sum) => `Yana toʻlash: ${sum}`,
    refuse: "Toʻlamaslik",
    otherAmount: (currency) => `Boshqa summa, ${currency}`,
    payOther: "Boshqa summani toʻlash",
    troubles: {
      wrong_amount: "Summani kiriting, masalan 2490,00.",
      outdated: "Sahifa eskirgan. Toʻlashdan oldin qayta koʻrib chiqing.",
    },
  },
  noLink: {
    title: "Toʻlanadigan narsa yoʻq",
    text: "Bu sahifa toʻlov havolasi yoki uning QR-kodi orqali ochiladi. Doʻkonga qaytib, qayta urinib koʻring.",
  },
};
