/** What the page says without its script of the shop, of its operator and of the receipt. */
type TrustWords = {
  readonly test: string;
  readonly question: string;
  readonly page: string;
  readonly operator: (name: string) => string;
  readonly paidAt: string;
  readonly paymentId: string;
};

export const TRUST_WORDS: Readonly<Record<"en" | "ru" | "kk" | "uz" | "az" | "ky" | "tg" | "es", TrustWords>> = {
  en: {
    test: "TEST: no real money moves",
    question: "Questions about the order?",
    page: "Help page",
    operator: (name) => `Payments by ${name}`,
    paidAt: "Date and time",
    paymentId: "Payment ID",
  },
  ru: {
    test: "ТЕСТ: настоящие деньги не списываются",
    question: "Вопросы по заказу?",
    page: "Страница помощи",
    operator: (name) => `Платежи принимает ${name}`,
    paidAt: "Дата и время",
    paymentId: "Номер платежа",
  },
  kk: {
    test: "ТЕСТ: нақты ақша алынбайды",
    question: "Тапсырыс бойынша сұрақтарыңыз бар ма?",
    page: "Анықтама беті",
    operator: (name) => `Төлемдерді қабылдайтын: ${name}`,
    paidAt: "Күні мен уақыты",
    paymentId: "Төлем нөмірі",
  },
  uz: {
    test: "TEST: haqiqiy pul yechilmaydi",
    question: "Buyurtma boʻyicha savollaringiz bormi?",
    page: "Yordam sahifasi",
    operator: (name) => `Toʻlovlarni qabul qiluvchi: ${name}`,
    paidAt: "Sana va vaqt",
    paymentId: "Toʻlov raqami",
  },
  az: {
    test: "TEST: real pul çıxılmır",
    question: "Sifarişlə bağlı sualınız var?",
    page: "Yardım səhifəsi",
    operator: (name) => `Ödənişləri qəbul edən: ${name}`,
    paidAt: "Tarix və vaxt",
    paymentId: "Ödəniş nömrəsi",
  },
  ky: {
    test: "ТЕСТ: чыныгы акча алынбайт",
    question: "Буйрутма боюнча суроолоруңуз барбы?",
    page: "Жардам барагы",
    operator: (name) => `Төлөмдөрдү кабыл алуучу: ${name}`,
    paidAt: "Күнү жана убактысы",
    paymentId: "Төлөм номери",
  },
  tg: {
    test: "ТЕСТ: пули воқеӣ гирифта намешавад",
    question: "Оид ба фармоиш савол доред?",
    page: "Саҳифаи кӯмак",
    operator: (name) => `Қабулкунандаи пардохтҳо: ${name}`,
    paidAt: "Сана ва вақт",
    paymentId: "Рақами пардохт",
  },
  es: {
    test: "PRUEBA: no se mueve dinero real",
    question: "¿Preguntas sobre el pedido?",
    page: "Página de ayuda",
    operator: (name) => `Pagos gestionados por ${name}`,
    paidAt: "Fecha y hora",
    paymentId: "ID del pago",
  },
};
