import type { TestCard } from "../../view.ts";
import type { Topic } from "../topic.ts";

export type CardWords = {
  readonly errors: { readonly brandUnknown: string };
  readonly testCards: {
    readonly heading: string;
    readonly text: string;
    readonly does: Readonly<Record<TestCard["does"], string>>;
  };
};

/** Of the card form: what the common words lack. */
export const CARD_WORDS: Topic<CardWords> = {
  en: {
    errors: { brandUnknown: "Cards of this brand are not accepted here." },
    testCards: {
      heading: "Test cards",
      text: "This is a test: no money moves. Press a card to fill in the form.",
      does: {
        approved: "Paid",
        three_ds_2: "The bank asks for a code: 1234",
        three_ds_1: "The bank asks for a code: 1234 (old 3-D Secure)",
        declined: "The bank refuses",
        insufficient_funds: "Not enough money",
        card_expired: "The card has expired",
        processing_error: "An error at the bank",
        answers_late: "The bank answers late",
      },
    },
  },
  ru: {
    errors: { brandUnknown: "Карты этой системы здесь не принимаются." },
    testCards: {
      heading: "Тестовые карты",
      text: "Это тест: деньги не списываются. Нажмите на карту, чтобы заполнить форму.",
      does: {
        approved: "Оплата пройдёт",
        three_ds_2: "Банк попросит код: 1234",
        three_ds_1: "Банк попросит код: 1234 (старый 3-D Secure)",
        declined: "Банк откажет",
        insufficient_funds: "Не хватит денег",
        card_expired: "Срок карты истёк",
        processing_error: "Ошибка у банка",
        answers_late: "Банк ответит не сразу",
      },
    },
  },
  kk: {
    errors: { brandUnknown: "Бұл жүйенің карталары мұнда қабылданбайды." },
    testCards: {
      heading: "Сынақ карталары",
      text: "Бұл — сынақ: ақша есептен шығарылмайды. Форманы толтыру үшін картаны басыңыз.",
      does: {
        approved: "Төлем өтеді",
        three_ds_2: "Банк код сұрайды: 1234",
        three_ds_1: "Банк код сұрайды: 1234 (ескі 3-D Secure)",
        declined: "Банк бас тартады",
        insufficient_funds: "Қаражат жетпейді",
        card_expired: "Картаның мерзімі өткен",
        processing_error: "Банктегі қате",
        answers_late: "Банк кешігіп жауап береді",
      },
    },
  },
  uz: {
    errors: { brandUnknown: "Bu tizim kartalari bu yerda qabul qilinmaydi." },
    testCards: {
      heading: "Sinov kartalari",
      text: "Bu sinov: pul yechilmaydi. Shaklni toʻldirish uchun kartani bosing.",
      does: {
        approved: "Toʻlov oʻtadi",
        three_ds_2: "Bank kod soʻraydi: 1234",
        three_ds_1: "Bank kod soʻraydi: 1234 (eski 3-D Secure)",
        declined: "Bank rad etadi",
        insufficient_funds: "Mablagʻ yetmaydi",
        card_expired: "Karta muddati tugagan",
        processing_error: "Bankda xato",
        answers_late: "Bank kechikib javob beradi",
      },
    },
  },
  az: {
    errors: { brandUnknown: "Bu sistemin kartları burada qəbul edilmir." },
    testCards: {
      heading: "Test kartları",
      text: "Bu, testdir: pul çıxılmır. Formanı doldurmaq üçün kartı seçin.",
      does: {
        approved: "Ödəniş keçəcək",
        three_ds_2: "Bank kod istəyəcək: 1234",
        three_ds_1: "Bank kod istəyəcək: 1234 (köhnə 3-D Secure)",
        declined: "Bank imtina edəcək",
        insufficient_funds: "Vəsait çatmayacaq",
        card_expired: "Kartın müddəti bitib",
        processing_error: "Bankda xəta",
        answers_late: "Bank gec cavab verəcək",
      },
    },
  },
  ky: {
    errors: { brandUnknown: "Бул системанын карталары бул жерде кабыл алынбайт." },
    testCards: {
      heading: "Сыноо карталары",
      text: "Бул — сыноо: акча чыгарылбайт. Форманы толтуруу үчүн картаны басыңыз.",
      does: {
        approved: "Төлөм өтөт",
        three_ds_2: "Банк код сурайт: 1234",
        three_ds_1: "Банк код сурайт: 1234 (эски 3-D Secure)",
        declined: "Банк четке кагат",
        insufficient_funds: "Каражат жетпейт",
        card_expired: "Картанын мөөнөтү бүткөн",
        processing_error: "Банктагы ката",
        answers_late: "Банк кечигип жооп берет",
      },
    },
  },
  tg: {
    errors: { brandUnknown: "Кортҳои ин система дар ин ҷо қабул намешаванд." },
    testCards: {
      heading: "Кортҳои санҷишӣ",
      text: "Ин санҷиш аст: пул гирифта намешавад. Барои пур кардани шакл кортро пахш кунед.",
      does: {
        approved: "Пардохт мегузарад",
        three_ds_2: "Бонк рамз мепурсад: 1234",
        three_ds_1: "Бонк рамз мепурсад: 1234 (3-D Secure-и кӯҳна)",
        declined: "Бонк рад мекунад",
        insufficient_funds: "Маблағ намерасад",
        card_expired: "Муҳлати корт гузаштааст",
        processing_error: "Хатогӣ дар бонк",
        answers_late: "Бонк дер ҷавоб медиҳад",
      },
    },
  },
  es: {
    errors: { brandUnknown: "Aquí no se aceptan tarjetas de esta marca." },
    testCards: {
      heading: "Tarjetas de prueba",
      text: "Es una prueba: no se mueve dinero. Pulse una tarjeta para rellenar el formulario.",
      does: {
        approved: "Se paga",
        three_ds_2: "El banco pide un código: 1234",
        three_ds_1: "El banco pide un código: 1234 (3-D Secure antiguo)",
        declined: "El banco la rechaza",
        insufficient_funds: "No hay fondos suficientes",
        card_expired: "La tarjeta ha caducado",
        processing_error: "Error en el banco",
        answers_late: "El banco tarda en responder",
      },
    },
  },
};
