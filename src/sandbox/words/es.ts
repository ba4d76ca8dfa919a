import type { SandboxWords } from "./sandbox-words.ts";

export const es: SandboxWords = {
  separators: [".", ","],
  rooms: { transfer: "Transferencia", confirmation: "Confirmación", card: "Pago con tarjeta" },
  note: "Esto es un entorno de pruebas: no se consulta a ningún banco y no se mueve dinero.",
  details: { merchant: "Comercio", amount: "Importe", card: "Tarjeta" },
  continue: "Continuar",
  cancel: "Cancelar",
  code: {
    title: "Confirme su pago",
    text: "Su banco quiere asegurarse de que es usted quien paga.",
    label: "Código de confirmación",
    confirm: "Confirmar",
    hint: (code) => `El código es ${code}.`,
    troubles: {
      wrong: "El código es incorrecto.",
      missing: "Escriba el código.",
      outdated: "Esta página estaba desactualizada. Escriba el código de nuevo.",
    },
    lastTry: "Es su último intento.",
    triesLeft: (count) => `Le quedan ${count} intentos.`,
  },
  returned: {
    passed: { title: "Confirmado", text: "Le llevamos de vuelta para terminar el pago." },
    failed: { title: "No confirmado", text: "El pago fue rechazado. Le llevamos de vuelta." },
  },
  deviceCheck: "Comprobación del dispositivo",
  checkout: {
    title: "Pagar con tarjeta",
    text: "Pague aquí y después volverá al comercio.",
    pay: "Pagar",
    note: "Esto es un entorno de pruebas: no se mueve dinero.",
  },
  ended: {
    title: "Pago finalizado",
    texts: {
      approved: "El pago fue aprobado.",
      pending: "El pago se está procesando.",
      reversed: "El dinero fue devuelto.",
      notMade: "El pago no se realizó.",
    },
    back: "Volver al comercio",
  },
  unknown: {
    title: "No hay nada que confirmar",
    text: "Una tienda abre esta página durante un pago. Vuelva a la tienda e inténtelo de nuevo.",
  },
  cancelled: {
    title: "Ya no hay nada que confirmar",
    text: "El comercio canceló este pago con tarjeta. No se cobra nada de la tarjeta.",
  },
  bank: {
    titles: { confirm: "Confirme la transferencia", paid: "Pagado", refused: "No pagado" },
    texts: {
      asked: "Un comercio le solicita este pago.",
      paid: "El dinero va camino del comercio. Puede volver a la tienda.",
      refused: "No se envió nada ni se enviará. Puede volver a la tienda o pagar de todos modos.",
      again: "Ya ha pagado. Si paga ahora, será un segundo pago.",
      late: "Se acabó el tiempo para pagar. El dinero que envíe ahora llegará tarde.",
    },
    toPay: "A pagar",
    paidSoFar: "Ya pagado",
    payment: "Pago",
    pay: (sum) => `Pagar ${sum}`,
    payAgain: (sum) => `Pagar de nuevo: ${sum}`,
    refuse: "No pagar",
    otherAmount: (currency) => `Otro importe, en ${currency}`,
    payOther: "Pagar otro importe",
    troubles: {
      wrong_amount: "Escriba un importe, por ejemplo 2490,00.",
      outdated: "Esta página estaba desactualizada. Revísela antes de pagar.",
    },
  },
  noLink: {
    title: "No hay nada que pagar",
    text: "Esta página se abre con un enlace de pago o su código QR. Vuelva a la tienda e inténtelo de nuevo.",
  },
};
