import type { SandboxWords } from "./sandbox-words.ts";

export const az: SandboxWords = {
  separators: [".", ","],
  rooms: { transfer: "Köçürmə", confirmation: "Təsdiq", card: "Kartla ödəniş" },
  note: "Bu, sınaq mühitidir: bank iştirak etmir, pul köçürülmür.",
  details: { merchant: "Satıcı", amount: "Məbləğ", card: "Kart" },
  continue: "Davam et",
  cancel: "Ləğv et",
  code: {
    title: "Ödənişi təsdiqləyin",
    text: "Bank ödəyənin məhz siz olduğunuza əmin olmaq istəyir.",
    label: "Təsdiq kodu",
    confirm: "Təsdiqlə",
    hint: (code) => `Kod: ${code}.`,
    troubles: {
      wrong: "Kod səhvdir.",
      missing: "Kodu daxil edin.",
      outdated: "Səhifə köhnəlib. Kodu yenidən daxil edin.",
    },
    lastTry: "Bu, son cəhddir.",
    triesLeft: (count) => `${count} cəhd qalıb.`,
  },
  returned: {
    passed: { title: "Təsdiqləndi", text: "Ödənişi tamamlamaq üçün sizi geri qaytarırıq." },
    failed: { title: "Təsdiqlənmədi", text: "Ödəniş rədd edildi. Sizi geri qaytarırıq." },
  },
  deviceCheck: "Cihazın yoxlanılması",
  checkout: {
    title: "Kartla ödəniş",
    text: "Burada ödəyirsiniz, sonra satıcıya qayıdırsınız.",
    pay: "Ödə",
    note: "Bu, sınaq mühitidir: pul köçürülmür.",
  },
  ended: {
    title: "Ödəniş başa çatdı",
    texts: {
      approved: "Ödəniş təsdiq edildi.",
      pending: "Ödəniş icra olunur.",
      reversed: "Pul qaytarıldı.",
      notMade: "Ödəniş alınmadı.",
    },
    back: "Satıcıya qayıt",
  },
  unknown: {
    title: "Təsdiqlənəcək heç nə yoxdur",
    text: "Bu səhifəni ödəniş zamanı mağaza açır. Mağazaya qayıdın və yenidən cəhd edin.",
  },
  cancelled: {
    title: "Artıq təsdiqlənəcək heç nə yoxdur",
    text: "Satıcı bu kart ödənişini ləğv etdi. Kartdan pul tutulmayacaq.",
  },
  bank: {
    titles: { confirm: "Köçürməni təsdiqləyin", paid: "Ödənildi", refused: "Ödənilmədi" },
    texts: {
      asked: "Satıcı sizdən bu ödənişi istəyir.",
      paid: "Pul satıcıya göndərildi. Mağazaya qayıda bilərsiniz.",
      refused: "Heç nə göndərilmədi və göndərilməyəcək. Mağazaya qayıda və ya yenə də ödəyə bilərsiniz.",
      again: "Artıq ödəmisiniz. İndi ödəsəniz, bu, ikinci ödəniş olacaq.",
      late: "Ödəniş vaxtı bitib. İndi göndərilən pul gec çatacaq.",
    },
    toPay: "Ödəniləcək",
    paidSoFar: "Ödənilib",
    payment: "Ödəniş",
    pay: (sum) => `${sum} ödə`,
    payAgain: (sum) => `Yenidən ödə: ${sum}`,
    refuse: "Ödəmə",
    otherAmount: (currency) => `Başqa məbləğ, ${currency}`,
    payOther: "Başqa məbləğ ödə",
    troubles: {
      wrong_amount: "Məbləği daxil edin, məsələn, 2490,00.",
      outdated: "Səhifə köhnəlib. Ödəməzdən əvvəl yenidən baxın.",
    },
  },
  noLink: {
    title: "Ödəniləcək heç nə yoxdur",
    text: "Bu səhifə ödəniş keçidi və ya onun QR kodu ilə açılır. Mağazaya qayıdın və yenidən cəhd edin.",
  },
};
