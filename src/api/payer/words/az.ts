import type { PayerWords } from "./payer-words.ts";

export const az: PayerWords = {
  page: {
    order: "Sifariş",
    backToShop: "Mağazaya qayıt",
    language: "Dil",
    needsScript: "Ödəniş üsulunu seçmək, ödənişi təsdiqləmək və ya ləğv etmək üçün brauzerdə JavaScript-i aktiv edin.",
    footer: "Təhlükəsiz ödəniş səhifəsi",
    toBank: "Banka keç",
    lookAgain: "Səhifəni yenilə",
    payBefore: "Ödənişin son vaxtı",
    steps: {
      choose: { heading: "Necə ödəmək istəyirsiniz?" },
      prepare: {
        heading: "Bir dəqiqə gözləyin",
        text: "Ödəniş hazırlanır. Bir neçə saniyədən sonra səhifəni yeniləyin.",
      },
      transfer: { heading: "Köçürmə edin", text: "Məhz bu məbləği aşağıdakı şəxsə bir köçürmə ilə göndərin." },
      overdue: { heading: "Vaxt bitdi", text: "Pulu göndərmisinizsə, o hələ nəzərə alına bilər; artıq göndərməyin." },
      challenge: { heading: "Ödənişi bankda təsdiqləyin", text: "Bank bunun siz olduğunuza əmin olmaq istəyir." },
      check: { heading: "Ödəniş yoxlanılır", text: "Bir neçə saniyədən sonra səhifəni yeniləyin." },
      attention: { heading: "Ödəniş yoxlama tələb edir", text: "Ödənişi əməkdaş yoxlayır. Pulunuz itməyib." },
      success: { heading: "Ödəniş qəbul edildi", text: "Təşəkkür edirik. Mağaza ödənişdən xəbərdardır." },
      decline: { heading: "Ödəniş alınmadı", text: "Yenidən cəhd etmək üçün mağazaya qayıdın." },
    },
    requisites: {
      pan: "Kart nömrəsi",
      phone: "Telefon nömrəsi",
      account_number: "Hesab nömrəsi",
      url: "Ödəniş keçidi",
      holder: "Alan",
      bank_name: "Bank",
    },
  },
  missing: {
    unknown: { title: "Belə ödəniş yoxdur", text: "Keçid tam olmaya bilər. Mağazaya qayıdın və yenidən cəhd edin." },
    tooMany: { title: "Həddən çox cəhd", text: "Bir dəqiqə gözləyin və səhifəni yeniləyin." },
    broken: {
      title: "Səhifə hazırda əlçatan deyil",
      text: "Ödənişiniz itməyib. Bir dəqiqə gözləyin və səhifəni yeniləyin. Pulu göndərmisinizsə, yenidən göndərməyin.",
    },
  },
  threeDs: {
    notFound: {
      title: "Tapılmadı",
      heading: "Belə ödəniş yoxdur",
      text: "Keçid tam olmaya bilər. Mağazaya qayıdın və yenidən cəhd edin.",
    },
    tooFast: { title: "Bir az gözləyin", heading: "Həddən çox sorğu", text: "Bir az gözləyin və səhifəni yeniləyin." },
    toBank: {
      title: "Bankınıza keçid",
      text: "Bank bunun siz olduğunuza əmin olmaq istəyir. Bu, çox vaxt aparmır.",
      button: "Banka keç",
      frame: "Bank bu brauzeri yoxlayır",
    },
    toPayment: { title: "Ödənişə qayıt", heading: "Təşəkkür edirik" },
    toShop: { title: "Mağazaya qayıt", text: "Sizi mağazaya qaytarırıq." },
    ends: {
      success: { title: "Ödəniş qəbul edildi", text: "Təşəkkür edirik. Bu səhifəni bağlaya bilərsiniz." },
      decline: { title: "Ödəniş rədd edildi", text: "Heç nə tutulmadı. Mağazaya qayıdın və yenidən cəhd edin." },
      givenBack: { title: "Ödəniş rədd edildi", text: "Pul kartdan çox gec tutuldu və kartınıza qaytarılır." },
      underWay: { title: "Ödəniş icra olunur", text: "Nəticəni mağaza bildirəcək. Bu səhifəni bağlaya bilərsiniz." },
    },
  },
  sandbox: {
    unknown: { title: "Ödəniləcək heç nə yoxdur", text: "Mağazaya qayıdın və yenidən cəhd edin." },
    tooFast: { title: "Həddən çox cəhd", text: "Bir az gözləyin və səhifəni yeniləyin." },
    silent: { title: "Sınaq mühiti cavab vermir", text: "Bir az gözləyin və səhifəni yeniləyin." },
  },
};
