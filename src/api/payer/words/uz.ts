import type { PayerWords } from "./payer-words.ts";

export const uz: PayerWords = {
  page: {
    order: "Buyurtma",
    backToShop: "Doʻkonga qaytish",
    language: "Til",
    needsScript: "Toʻlov usulini tanlash, toʻlovni tasdiqlash yoki bekor qilish uchun brauzerda JavaScript’ni yoqing.",
    footer: "Himoyalangan toʻlov sahifasi",
    toBank: "Bankka oʻtish",
    lookAgain: "Sahifani yangilash",
    payBefore: "Toʻlash muddati",
    steps: {
      choose: { heading: "Qanday toʻlamoqchisiz?" },
      prepare: {
        heading: "Bir daqiqa kuting",
        text: "Toʻlov tayyorlanmoqda. Bir necha soniyadan soʻng sahifani yangilang.",
      },
      transfer: {
        heading: "Pul oʻtkazing",
        text: "Aynan shu summani quyidagi oluvchiga bitta oʻtkazma bilan yuboring.",
      },
      overdue: {
        heading: "Vaqt tugadi",
        text: "Pul yuborgan boʻlsangiz, u hali hisobga olinishi mumkin; endi yubormang.",
      },
      challenge: { heading: "Toʻlovni bankda tasdiqlang", text: "Bank bu siz ekaningizga ishonch hosil qilmoqchi." },
      check: { heading: "Toʻlov tekshirilmoqda", text: "Bir necha soniyadan soʻng sahifani yangilang." },
      attention: {
        heading: "Toʻlovni tekshirish kerak",
        text: "Toʻlovni xodim tekshirmoqda. Pulingiz yoʻqolmagan.",
      },
      success: { heading: "Toʻlov qabul qilindi", text: "Rahmat. Doʻkon toʻlovdan xabardor." },
      decline: { heading: "Toʻlov amalga oshmadi", text: "Qayta urinish uchun doʻkonga qayting." },
    },
    requisites: {
      pan: "Karta raqami",
      phone: "Telefon raqami",
      account_number: "Hisob raqami",
      url: "Toʻlov havolasi",
      holder: "Oluvchi",
      bank_name: "Bank",
    },
  },
  missing: {
    unknown: {
      title: "Bunday toʻlov yoʻq",
      text: "Havola toʻliq boʻlmasligi mumkin. Doʻkonga qaytib, qayta urinib koʻring.",
    },
    tooMany: { title: "Urinishlar juda koʻp", text: "Bir daqiqa kuting va sahifani yangilang." },
    broken: {
      title: "Sahifa hozir ishlamayapti",
      text: "Toʻlovingiz yoʻqolmagan. Bir daqiqa kuting va sahifani yangilang. Pulni yuborgan boʻlsangiz, qayta yubormang.",
    },
  },
  threeDs: {
    notFound: {
      title: "Topilmadi",
      heading: "Bunday toʻlov yoʻq",
      text: "Havola toʻliq boʻlmasligi mumkin. Doʻkonga qaytib, qayta urinib koʻring.",
    },
    tooFast: { title: "Biroz kuting", heading: "Soʻrovlar juda koʻp", text: "Biroz kuting va sahifani yangilang." },
    toBank: {
      title: "Bankingizga oʻtish",
      text: "Bank bu siz ekaningizga ishonch hosil qilmoqchi. Bu koʻp vaqt olmaydi.",
      button: "Bankka oʻtish",
      frame: "Bank ushbu brauzerni tekshirmoqda",
    },
    toPayment: { title: "Toʻlovga qaytish", heading: "Rahmat" },
    toShop: { title: "Doʻkonga qaytish", text: "Sizni doʻkonga qaytarmoqdamiz." },
    ends: {
      success: { title: "Toʻlov qabul qilindi", text: "Rahmat. Bu sahifani yopish mumkin." },
      decline: { title: "Toʻlov rad etildi", text: "Hech narsa yechilmadi. Doʻkonga qaytib, qayta urinib koʻring." },
      givenBack: { title: "Toʻlov rad etildi", text: "Pul juda kech yechildi va kartangizga qaytariladi." },
      underWay: { title: "Toʻlov bajarilmoqda", text: "Natijani doʻkon xabar qiladi. Bu sahifani yopish mumkin." },
    },
  },
  sandbox: {
    unknown: { title: "Toʻlanadigan narsa yoʻq", text: "Doʻkonga qaytib, qayta urinib koʻring." },
    tooFast: { title: "Urinishlar juda koʻp", text: "Biroz kuting va sahifani yangilang." },
    silent: { title: "Sinov muhiti javob bermayapti", text: "Biroz kuting va sahifani yangilang." },
  },
};
