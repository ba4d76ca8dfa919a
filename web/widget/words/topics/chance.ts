import type { Topic } from "../topic.ts";

/** What a payer reads who may choose again, or wants to. */
type ChanceWords = {
  /** Why the last try came to nothing, by its decline code. */
  readonly why: Readonly<Record<string, string>>;
  readonly whyUnknown: string;
  /** After a card. */
  readonly notCharged: string;
  /** After requisites that the payer has left. */
  readonly doNotSend: string;
  /** How many tries are left, where they are few. */
  readonly left: Readonly<Record<1 | 2, string>>;
  readonly change: string;
  readonly ask: { readonly title: string; readonly yes: string; readonly no: string };
  /** What the payer must know before leaving the requisites, or the bank's page. */
  readonly askTransfer: string;
  readonly askChallenge: string;
};

export const CHANCE_WORDS = {
  en: {
    why: {
      insufficient_funds: "There is not enough money on the card.",
      card_expired: "The card has expired.",
      three_ds_failed: "The bank could not confirm that it is you.",
      provider_declined: "The bank refused the payment.",
      no_requisites: "This way to pay is not available right now.",
      no_provider: "This way to pay is not available right now.",
      expired: "The payment was not confirmed in time.",
      cancelled: "You chose to pay another way.",
    },
    whyUnknown: "The payment did not go through.",
    notCharged: "Nothing was charged. Try another card or another way to pay.",
    doNotSend: "Do not send money to the details that you saw before. Choose how to pay.",
    left: { 1: "This is the last try.", 2: "Two tries are left." },
    change: "Pay another way",
    ask: { title: "Pay another way?", yes: "Yes, change", no: "No, stay here" },
    askTransfer:
      "If you have already sent the money, do not change: press “I have paid”. After a change these details are no longer valid.",
    askChallenge: "The confirmation at your bank ends, and this card is not charged.",
  },
  ru: {
    why: {
      insufficient_funds: "На карте недостаточно денег.",
      card_expired: "Срок действия карты истёк.",
      three_ds_failed: "Банк не смог подтвердить, что платите вы.",
      provider_declined: "Банк отклонил платёж.",
      no_requisites: "Этот способ сейчас недоступен.",
      no_provider: "Этот способ сейчас недоступен.",
      expired: "Платёж не подтвердили вовремя.",
      cancelled: "Вы решили заплатить другим способом.",
    },
    whyUnknown: "Платёж не прошёл.",
    notCharged: "Деньги не списаны. Попробуйте другую карту или другой способ.",
    doNotSend: "Не отправляйте деньги по прежним реквизитам. Выберите способ оплаты.",
    left: { 1: "Это последняя попытка.", 2: "Осталось две попытки." },
    change: "Заплатить иначе",
    ask: { title: "Заплатить другим способом?", yes: "Да, изменить", no: "Нет, остаться" },
    askTransfer:
      "Если вы уже отправили деньги, не меняйте способ: нажмите «Я оплатил(а)». После смены эти реквизиты больше не действуют.",
    askChallenge: "Подтверждение в банке прервётся, деньги с этой карты не спишут.",
  },
  kk: {
    why: {
      insufficient_funds: "Картада ақша жеткіліксіз.",
      card_expired: "Картаның мерзімі өтіп кеткен.",
      three_ds_failed: "Банк сізді растай алмады.",
      provider_declined: "Банк төлемді қабылдамады.",
      no_requisites: "Бұл тәсіл қазір қолжетімсіз.",
      no_provider: "Бұл тәсіл қазір қолжетімсіз.",
      expired: "Төлем уақытында расталмады.",
      cancelled: "Сіз басқа тәсілмен төлеуді таңдадыңыз.",
    },
    whyUnknown: "Төлем өтпеді.",
    notCharged: "Ақша алынған жоқ. Басқа картаны немесе басқа тәсілді қолданып көріңіз.",
    doNotSend: "Бұрынғы деректемелерге ақша жібермеңіз. Төлеу тәсілін таңдаңыз.",
    left: { 1: "Бұл — соңғы мүмкіндік.", 2: "Екі мүмкіндік қалды." },
    change: "Басқаша төлеу",
    ask: { title: "Басқа тәсілмен төлейсіз бе?", yes: "Иә, өзгерту", no: "Жоқ, қалу" },
    askTransfer:
      "Ақшаны жіберіп қойсаңыз, тәсілді өзгертпеңіз, төлегеніңізді растаңыз. Өзгерткен соң бұл деректемелер жарамсыз болады.",
    askChallenge: "Банктегі растау тоқтатылады, бұл картадан ақша алынбайды.",
  },
  uz: {
    why: {
      insufficient_funds: "Kartada mablagʻ yetarli emas.",
      card_expired: "Kartaning muddati tugagan.",
      three_ds_failed: "Bank shaxsingizni tasdiqlay olmadi.",
      provider_declined: "Bank toʻlovni rad etdi.",
      no_requisites: "Bu usul hozir mavjud emas.",
      no_provider: "Bu usul hozir mavjud emas.",
      expired: "Toʻlov oʻz vaqtida tasdiqlanmadi.",
      cancelled: "Siz boshqa usulda toʻlashni tanladingiz.",
    },
    whyUnknown: "Toʻlov amalga oshmadi.",
    notCharged: "Pul yechilmadi. Boshqa karta yoki boshqa usulni sinab koʻring.",
    doNotSend: "Avvalgi rekvizitlarga pul yubormang. Toʻlov usulini tanlang.",
    left: { 1: "Bu oxirgi urinish.", 2: "Ikkita urinish qoldi." },
    change: "Boshqa usulda toʻlash",
    ask: { title: "Boshqa usulda toʻlaysizmi?", yes: "Ha, oʻzgartirish", no: "Yoʻq, qolish" },
    askTransfer:
      "Pulni yuborib boʻlgan boʻlsangiz, usulni oʻzgartirmang, toʻlaganingizni tasdiqlang. Oʻzgartirilgach, bu rekvizitlar amal qilmaydi.",
    askChallenge: "Bankdagi tasdiqlash toʻxtatiladi, bu kartadan pul yechilmaydi.",
  },
  az: {
    why: {
      insufficient_funds: "Kartda kifayət qədər vəsait yoxdur.",
      card_expired: "Kartın müddəti bitib.",
      three_ds_failed: "Bank sizi təsdiqləyə bilmədi.",
      provider_declined: "Bank ödənişi rədd etdi.",
      no_requisites: "Bu üsul hazırda əlçatan deyil.",
      no_provider: "Bu üsul hazırda əlçatan deyil.",
      expired: "Ödəniş vaxtında təsdiqlənmədi.",
      cancelled: "Başqa üsulla ödəməyi seçdiniz.",
    },
    whyUnknown: "Ödəniş alınmadı.",
    notCharged: "Pul çıxılmayıb. Başqa kart və ya başqa üsulu sınayın.",
    doNotSend: "Əvvəlki rekvizitlərə pul göndərməyin. Ödəniş üsulunu seçin.",
    left: { 1: "Bu, son cəhddir.", 2: "İki cəhd qalıb." },
    change: "Başqa üsulla ödəmək",
    ask: { title: "Başqa üsulla ödəyəsiniz?", yes: "Bəli, dəyişmək", no: "Xeyr, qalmaq" },
    askTransfer:
      "Pulu artıq göndərmisinizsə, üsulu dəyişməyin, ödədiyinizi təsdiqləyin. Dəyişdikdən sonra bu rekvizitlər etibarsız olur.",
    askChallenge: "Bankdakı təsdiqləmə dayandırılacaq, bu kartdan pul çıxılmayacaq.",
  },
  ky: {
    why: {
      insufficient_funds: "Картада акча жетишсиз.",
      card_expired: "Картанын мөөнөтү бүткөн.",
      three_ds_failed: "Банк сизди ырастай алган жок.",
      provider_declined: "Банк төлөмдү четке какты.",
      no_requisites: "Бул ыкма азыр жеткиликсиз.",
      no_provider: "Бул ыкма азыр жеткиликсиз.",
      expired: "Төлөм убагында ырасталган жок.",
      cancelled: "Сиз башка ыкма менен төлөөнү тандадыңыз.",
    },
    whyUnknown: "Төлөм өткөн жок.",
    notCharged: "Акча алынган жок. Башка картаны же башка ыкманы колдонуп көрүңүз.",
    doNotSend: "Мурунку реквизиттерге акча жөнөтпөңүз. Төлөө ыкмасын тандаңыз.",
    left: { 1: "Бул акыркы аракет.", 2: "Эки аракет калды." },
    change: "Башкача төлөө",
    ask: { title: "Башка ыкма менен төлөйсүзбү?", yes: "Ооба, өзгөртүү", no: "Жок, калуу" },
    askTransfer:
      "Акчаны жөнөтүп койсоңуз, ыкманы өзгөртпөңүз, төлөгөнүңүздү ырастаңыз. Өзгөрткөндөн кийин бул реквизиттер жараксыз болот.",
    askChallenge: "Банктагы ырастоо токтотулат, бул картадан акча алынбайт.",
  },
  tg: {
    why: {
      insufficient_funds: "Дар корт маблағ кофӣ нест.",
      card_expired: "Муҳлати корт гузаштааст.",
      three_ds_failed: "Бонк шуморо тасдиқ карда натавонист.",
      provider_declined: "Бонк пардохтро рад кард.",
      no_requisites: "Ин тарз ҳоло дастрас нест.",
      no_provider: "Ин тарз ҳоло дастрас нест.",
      expired: "Пардохт сари вақт тасдиқ нашуд.",
      cancelled: "Шумо тарзи дигари пардохтро интихоб кардед.",
    },
    whyUnknown: "Пардохт анҷом наёфт.",
    notCharged: "Маблағ гирифта нашуд. Корти дигар ё тарзи дигарро санҷед.",
    doNotSend: "Ба реквизитҳои пештара пул нафиристед. Тарзи пардохтро интихоб кунед.",
    left: { 1: "Ин кӯшиши охирин аст.", 2: "Ду кӯшиш мондааст." },
    change: "Бо тарзи дигар",
    ask: { title: "Бо тарзи дигар пардохт мекунед?", yes: "Ҳа, иваз кардан", no: "Не, мондан" },
    askTransfer:
      "Агар пулро фиристода бошед, тарзро иваз накунед, пардохтро тасдиқ кунед. Пас аз иваз ин реквизитҳо эътибор надоранд.",
    askChallenge: "Тасдиқ дар бонк қатъ мешавад, аз ин корт пул гирифта намешавад.",
  },
  es: {
    why: {
      insufficient_funds: "No hay fondos suficientes en la tarjeta.",
      card_expired: "La tarjeta ha caducado.",
      three_ds_failed: "El banco no pudo confirmar su identidad.",
      provider_declined: "El banco rechazó el pago.",
      no_requisites: "Este medio de pago no está disponible ahora.",
      no_provider: "Este medio de pago no está disponible ahora.",
      expired: "El pago no se confirmó a tiempo.",
      cancelled: "Ha elegido pagar de otra forma.",
    },
    whyUnknown: "El pago no se realizó.",
    notCharged: "No se ha cobrado nada. Pruebe con otra tarjeta o con otro medio de pago.",
    doNotSend: "No envíe dinero a los datos que vio antes. Elija cómo pagar.",
    left: { 1: "Este es el último intento.", 2: "Quedan dos intentos." },
    change: "Pagar de otra forma",
    ask: { title: "¿Pagar de otra forma?", yes: "Sí, cambiar", no: "No, seguir aquí" },
    askTransfer:
      "Si ya envió el dinero, no cambie: confirme que ha pagado. Después del cambio estos datos dejan de ser válidos.",
    askChallenge: "La confirmación en su banco se cancela y no se cobra nada a esta tarjeta.",
  },
} satisfies Topic<ChanceWords>;
