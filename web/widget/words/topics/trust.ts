import type { Topic } from "../topic.ts";

/** Whose page it is, what happens next, the receipt, and the way back. */
type TrustWords = {
  readonly test: { readonly mark: string; readonly text: string };
  readonly support: { readonly question: string; readonly page: string };
  readonly operator: (name: string) => string;
  readonly receipt: {
    readonly title: string;
    readonly amount: string;
    readonly paidAt: string;
    readonly shop: string;
    readonly order: string;
    readonly description: string;
    readonly paidWith: string;
    readonly id: string;
    readonly print: string;
  };
  readonly back: { readonly soon: (seconds: number) => string; readonly stay: string };
  readonly next: {
    readonly toCard: string;
    readonly toBank: string;
    readonly toTransfer: string;
    readonly card: string;
    readonly prepare: string;
    readonly charging: string;
    /** `paid`: what the button says. */
    readonly transfer: (paid: string) => string;
    readonly challenge: string;
    readonly success: string;
  };
  /** In place of the words for a transfer, which may be left alone. */
  readonly checkCard: string;
};

export const TRUST_WORDS: Topic<TrustWords> = {
  en: {
    test: { mark: "TEST", text: "No real money moves" },
    support: { question: "Questions about the order?", page: "Help page" },
    operator: (name) => `Payments by ${name}`,
    receipt: {
      title: "Receipt",
      amount: "Amount",
      paidAt: "Date and time",
      shop: "Shop",
      order: "Order",
      description: "For",
      paidWith: "Paid with",
      id: "Payment ID",
      print: "Print or save as PDF",
    },
    back: { soon: (seconds) => `You go back to the shop in ${seconds} s.`, stay: "Stay on this page" },
    next: {
      toCard: "Next, you enter your card details.",
      toBank: "Next, you choose your bank.",
      toTransfer: "Next, we show you where to send the money.",
      card: "Next, your bank may ask you to confirm the payment.",
      prepare: "The details will appear here by themselves.",
      charging: "Please stay on this page and do not pay again: the result will appear here.",
      transfer: (paid) => `After “${paid}” we look for your transfer and tell the shop.`,
      challenge: "After that you come back here and see the result.",
      success: "You can close this page.",
    },
    checkCard: "Your bank is checking the payment. This usually takes a few seconds.",
  },
  ru: {
    test: { mark: "ТЕСТ", text: "Настоящие деньги не списываются" },
    support: { question: "Вопросы по заказу?", page: "Страница помощи" },
    operator: (name) => `Платежи принимает ${name}`,
    receipt: {
      title: "Квитанция",
      amount: "Сумма",
      paidAt: "Дата и время",
      shop: "Магазин",
      order: "Заказ",
      description: "Назначение",
      paidWith: "Способ оплаты",
      id: "Номер платежа",
      print: "Распечатать или сохранить в PDF",
    },
    back: { soon: (seconds) => `Через ${seconds} с вы вернётесь в магазин.`, stay: "Остаться на странице" },
    next: {
      toCard: "Дальше вы введёте данные карты.",
      toBank: "Дальше вы выберете свой банк.",
      toTransfer: "Дальше мы покажем, куда перевести деньги.",
      card: "Дальше банк может попросить подтвердить оплату.",
      prepare: "Реквизиты появятся здесь сами.",
      charging: "Не закрывайте страницу и не платите ещё раз: результат появится здесь.",
      transfer: (paid) => `После «${paid}» мы найдём перевод и сообщим магазину.`,
      challenge: "После этого вы вернётесь сюда и увидите результат.",
      success: "Страницу можно закрыть.",
    },
    checkCard: "Банк проверяет платёж. Обычно это занимает несколько секунд.",
  },
  kk: {
    test: { mark: "ТЕСТ", text: "Нақты ақша алынбайды" },
    support: { question: "Тапсырыс бойынша сұрақтарыңыз бар ма?", page: "Анықтама беті" },
    operator: (name) => `Төлемдерді қабылдайтын: ${name}`,
    receipt: {
      title: "Түбіртек",
      amount: "Сома",
      paidAt: "Күні мен уақыты",
      shop: "Дүкен",
      order: "Тапсырыс",
      description: "Мақсаты",
      paidWith: "Төлем тәсілі",
      id: "Төлем нөмірі",
      print: "Басып шығару немесе PDF сақтау",
    },
    back: { soon: (seconds) => `${seconds} секундтан кейін дүкенге ораласыз.`, stay: "Осы бетте қалу" },
    next: {
      toCard: "Әрі қарай карта деректерін енгізесіз.",
      toBank: "Әрі қарай банкіңізді таңдайсыз.",
      toTransfer: "Әрі қарай ақшаны қайда аудару керегін көрсетеміз.",
      card: "Әрі қарай банк төлемді растауды сұрауы мүмкін.",
      prepare: "Деректемелер осы жерде өздігінен шығады.",
      charging: "Бетті жаппаңыз және қайта төлемеңіз: нәтиже осы жерде шығады.",
      transfer: (paid) => `«${paid}» түймесінен кейін аударымды тауып, дүкенге хабарлаймыз.`,
      challenge: "Содан кейін осында оралып, нәтижені көресіз.",
      success: "Бетті жабуға болады.",
    },
    checkCard: "Банк төлемді тексеріп жатыр. Әдетте бұл бірнеше секунд алады.",
  },
  uz: {
    test: { mark: "TEST", text: "Haqiqiy pul yechilmaydi" },
    support: { question: "Buyurtma boʻyicha savollaringiz bormi?", page: "Yordam sahifasi" },
    operator: (name) => `Toʻlovlarni qabul qiluvchi: ${name}`,
    receipt: {
      title: "Kvitansiya",
      amount: "Summa",
      paidAt: "Sana va vaqt",
      shop: "Doʻkon",
      order: "Buyurtma",
      description: "Maqsadi",
      paidWith: "Toʻlov usuli",
      id: "Toʻlov raqami",
      print: "Chop etish yoki PDF saqlash",
    },
    back: { soon: (seconds) => `${seconds} soniyadan keyin doʻkonga qaytasiz.`, stay: "Shu sahifada qolish" },
    next: {
      toCard: "Keyin karta maʼlumotlarini kiritasiz.",
      toBank: "Keyin bankingizni tanlaysiz.",
      toTransfer: "Keyin pulni qayerga oʻtkazishni koʻrsatamiz.",
      card: "Keyin bank toʻlovni tasdiqlashni soʻrashi mumkin.",
      prepare: "Rekvizitlar shu yerda oʻzi paydo boʻladi.",
      charging: "Sahifani yopmang va qayta toʻlamang: natija shu yerda chiqadi.",
      transfer: (paid) => `“${paid}” bosilgach, oʻtkazmani topamiz va doʻkonga xabar beramiz.`,
      challenge: "Shundan soʻng bu yerga qaytib, natijani koʻrasiz.",
      success: "Sahifani yopishingiz mumkin.",
    },
    checkCard: "Bank toʻlovni tekshirmoqda. Odatda bu bir necha soniya oladi.",
  },
  az: {
    test: { mark: "TEST", text: "Real pul çıxılmır" },
    support: { question: "Sifarişlə bağlı sualınız var?", page: "Yardım səhifəsi" },
    operator: (name) => `Ödənişləri qəbul edən: ${name}`,
    receipt: {
      title: "Qəbz",
      amount: "Məbləğ",
      paidAt: "Tarix və vaxt",
      shop: "Mağaza",
      order: "Sifariş",
      description: "Təyinat",
      paidWith: "Ödəniş üsulu",
      id: "Ödəniş nömrəsi",
      print: "Çap etmək və ya PDF saxlamaq",
    },
    back: { soon: (seconds) => `${seconds} saniyədən sonra mağazaya qayıdacaqsınız.`, stay: "Bu səhifədə qalmaq" },
    next: {
      toCard: "Sonra kart məlumatlarını daxil edəcəksiniz.",
      toBank: "Sonra bankınızı seçəcəksiniz.",
      toTransfer: "Sonra pulu hara köçürəcəyinizi göstərəcəyik.",
      card: "Sonra bank ödənişi təsdiqləməyinizi istəyə bilər.",
      prepare: "Rekvizitlər burada özü görünəcək.",
      charging: "Səhifəni bağlamayın və təkrar ödəməyin: nəticə burada görünəcək.",
      transfer: (paid) => `“${paid}” düyməsindən sonra köçürməni tapıb mağazaya xəbər veririk.`,
      challenge: "Bundan sonra buraya qayıdıb nəticəni görəcəksiniz.",
      success: "Səhifəni bağlaya bilərsiniz.",
    },
    checkCard: "Bank ödənişi yoxlayır. Adətən bu, bir neçə saniyə çəkir.",
  },
  ky: {
    test: { mark: "ТЕСТ", text: "Чыныгы акча алынбайт" },
    support: { question: "Буйрутма боюнча суроолоруңуз барбы?", page: "Жардам барагы" },
    operator: (name) => `Төлөмдөрдү кабыл алуучу: ${name}`,
    receipt: {
      title: "Дүмүрчөк",
      amount: "Сумма",
      paidAt: "Күнү жана убактысы",
      shop: "Дүкөн",
      order: "Буйрутма",
      description: "Максаты",
      paidWith: "Төлөө ыкмасы",
      id: "Төлөм номери",
      print: "Басып чыгаруу же PDF сактоо",
    },
    back: { soon: (seconds) => `${seconds} секунддан кийин дүкөнгө кайтасыз.`, stay: "Ушул баракта калуу" },
    next: {
      toCard: "Андан кийин картанын маалыматын киргизесиз.",
      toBank: "Андан кийин банкыңызды тандайсыз.",
      toTransfer: "Андан кийин акчаны кайда которууну көрсөтөбүз.",
      card: "Андан кийин банк төлөмдү ырастоону сурашы мүмкүн.",
      prepare: "Реквизиттер ушул жерде өзү пайда болот.",
      charging: "Баракты жаппаңыз жана кайра төлөбөңүз: жыйынтык ушул жерде чыгат.",
      transfer: (paid) => `«${paid}» баскычынан кийин которууну таап, дүкөнгө билдиребиз.`,
      challenge: "Андан кийин бул жерге кайтып, жыйынтыгын көрөсүз.",
      success: "Баракты жапсаңыз болот.",
    },
    checkCard: "Банк төлөмдү текшерип жатат. Адатта бул бир нече секундга созулат.",
  },
  tg: {
    test: { mark: "ТЕСТ", text: "Пули воқеӣ гирифта намешавад" },
    support: { question: "Оид ба фармоиш савол доред?", page: "Саҳифаи кӯмак" },
    operator: (name) => `Қабулкунандаи пардохтҳо: ${name}`,
    receipt: {
      title: "Расид",
      amount: "Маблағ",
      paidAt: "Сана ва вақт",
      shop: "Мағоза",
      order: "Фармоиш",
      description: "Таъинот",
      paidWith: "Тарзи пардохт",
      id: "Рақами пардохт",
      print: "Чоп кардан ё нигоҳ доштани PDF",
    },
    back: { soon: (seconds) => `Пас аз ${seconds} сония ба мағоза бармегардед.`, stay: "Дар ин саҳифа мондан" },
    next: {
      toCard: "Баъд маълумоти кортро ворид мекунед.",
      toBank: "Баъд бонки худро интихоб мекунед.",
      toTransfer: "Баъд нишон медиҳем, ки пулро ба куҷо фиристед.",
      card: "Баъд бонк метавонад тасдиқи пардохтро хоҳиш кунад.",
      prepare: "Реквизитҳо худ ба худ дар ин ҷо пайдо мешаванд.",
      charging: "Саҳифаро напӯшед ва дубора пардохт накунед: натиҷа дар ин ҷо пайдо мешавад.",
      transfer: (paid) => `Пас аз «${paid}» интиқолро меёбем ва ба мағоза хабар медиҳем.`,
      challenge: "Баъд ба ин ҷо бармегардед ва натиҷаро мебинед.",
      success: "Саҳифаро пӯшидан мумкин аст.",
    },
    checkCard: "Бонк пардохтро месанҷад. Одатан ин чанд сония тӯл мекашад.",
  },
  es: {
    test: { mark: "PRUEBA", text: "No se mueve dinero real" },
    support: { question: "¿Preguntas sobre el pedido?", page: "Página de ayuda" },
    operator: (name) => `Pagos gestionados por ${name}`,
    receipt: {
      title: "Recibo",
      amount: "Importe",
      paidAt: "Fecha y hora",
      shop: "Tienda",
      order: "Pedido",
      description: "Concepto",
      paidWith: "Forma de pago",
      id: "ID del pago",
      print: "Imprimir o guardar como PDF",
    },
    back: { soon: (seconds) => `Volverá a la tienda en ${seconds} s.`, stay: "Quedarse en esta página" },
    next: {
      toCard: "A continuación, introducirá los datos de su tarjeta.",
      toBank: "A continuación, elegirá su banco.",
      toTransfer: "A continuación, le mostraremos adónde enviar el dinero.",
      card: "A continuación, su banco puede pedirle que confirme el pago.",
      prepare: "Los datos aparecerán aquí automáticamente.",
      charging: "No cierre esta página ni vuelva a pagar: el resultado aparecerá aquí.",
      transfer: (paid) => `Después de «${paid}» buscaremos su transferencia y avisaremos a la tienda.`,
      challenge: "Después volverá aquí y verá el resultado.",
      success: "Puede cerrar esta página.",
    },
    checkCard: "Su banco está comprobando el pago. Suele tardar unos segundos.",
  },
};
