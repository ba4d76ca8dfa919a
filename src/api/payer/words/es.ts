import type { PayerWords } from "./payer-words.ts";

export const es: PayerWords = {
  page: {
    order: "Pedido",
    backToShop: "Volver a la tienda",
    language: "Idioma",
    needsScript: "Para elegir cómo pagar, confirmar o cancelar, active JavaScript en su navegador.",
    footer: "Página de pago segura",
    toBank: "Ir al banco",
    lookAgain: "Volver a cargar la página",
    payBefore: "Pague antes de las",
    steps: {
      choose: { heading: "¿Cómo desea pagar?" },
      prepare: {
        heading: "Un momento",
        text: "Se está preparando el pago. Vuelva a cargar la página en unos segundos.",
      },
      transfer: {
        heading: "Haga la transferencia",
        text: "Envíe exactamente este importe al beneficiario indicado, en una sola transferencia.",
      },
      overdue: {
        heading: "Se acabó el tiempo",
        text: "Si ya envió el dinero, todavía se puede registrar; ya no envíe más.",
      },
      challenge: { heading: "Confirme con su banco", text: "Su banco quiere asegurarse de que es usted." },
      check: { heading: "Comprobando el pago", text: "Vuelva a cargar la página en unos segundos." },
      attention: {
        heading: "Su pago necesita una revisión",
        text: "Una persona está revisando su pago. Su dinero no se ha perdido.",
      },
      success: { heading: "Pago recibido", text: "Gracias. La tienda ya lo sabe." },
      decline: { heading: "El pago no se realizó", text: "Para intentarlo de nuevo, vuelva a la tienda." },
    },
    requisites: {
      pan: "Número de tarjeta",
      phone: "Número de teléfono",
      account_number: "Número de cuenta",
      url: "Enlace de pago",
      holder: "Beneficiario",
      bank_name: "Banco",
    },
  },
  missing: {
    unknown: {
      title: "Este pago no existe",
      text: "Puede que el enlace esté incompleto. Vuelva a la tienda e inténtelo de nuevo.",
    },
    tooMany: { title: "Demasiados intentos", text: "Espere un minuto y vuelva a cargar la página." },
    broken: {
      title: "Esta página no está disponible ahora",
      text: "Su pago no se ha perdido. Espere un minuto y vuelva a cargar la página. Si ya envió el dinero, no lo envíe otra vez.",
    },
  },
  threeDs: {
    notFound: {
      title: "No encontrado",
      heading: "Este pago no existe",
      text: "Puede que el enlace esté incompleto. Vuelva a la tienda e inténtelo de nuevo.",
    },
    tooFast: {
      title: "Un momento",
      heading: "Demasiadas solicitudes",
      text: "Espere un momento y vuelva a cargar la página.",
    },
    toBank: {
      title: "Vamos a su banco",
      text: "Su banco quiere asegurarse de que es usted. Solo tardará un momento.",
      button: "Ir al banco",
      frame: "El banco comprueba este navegador",
    },
    toPayment: { title: "Volver al pago", heading: "Gracias" },
    toShop: { title: "Volver a la tienda", text: "Le llevamos de vuelta a la tienda." },
    ends: {
      success: { title: "Pago recibido", text: "Gracias. Puede cerrar esta página." },
      decline: { title: "Pago rechazado", text: "No se cobró nada. Vuelva a la tienda para intentarlo de nuevo." },
      givenBack: {
        title: "Pago rechazado",
        text: "El cargo llegó demasiado tarde y el dinero se devuelve a su tarjeta.",
      },
      underWay: {
        title: "Pago en curso",
        text: "La tienda le informará del resultado. Puede cerrar esta página.",
      },
    },
  },
  sandbox: {
    unknown: { title: "No hay nada que pagar", text: "Vuelva a la tienda e inténtelo de nuevo." },
    tooFast: { title: "Demasiados intentos", text: "Espere un momento y vuelva a cargar la página." },
    silent: { title: "El entorno de pruebas no responde", text: "Espere un momento y vuelva a cargar la página." },
  },
};
