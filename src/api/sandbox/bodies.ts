import { type Static, Type } from "typebox";
import { CLOCK_SECONDS_MAX } from "../../app/sandbox/desk/desk-clock.ts";
import { MERCHANT_URL_MAX } from "../../core/merchants/merchant-url.ts";
import { AMOUNT_MAX, AMOUNT_MIN, minorToJson } from "../../core/money.ts";
import { DESK_ACTIONS } from "../../core/sandbox/desk-actions.ts";
import { DECLINE_REASONS, FAULT_CALLS, FAULT_KINDS } from "../../core/sandbox/desk-words.ts";
import type { JsonObject } from "../../platform/strict-json.ts";
import { CLOSED } from "../merchant/blocks.ts";
import { plainText } from "../merchant/text-forms.ts";

/** What the tester's desk takes. The doors share these: signed calls, the account, and the page of development mode. */
const PAYMENT_ID_MAX = 255;
export const DESK_PAYMENTS_MAX = 50;
const FAULT_MS_MAX = 600_000;
const FAULT_TIMES_MAX = 1_000;
const ECHO_TIMES_MAX = 1_000;

const projectId = Type.String({ minLength: 1, maxLength: 32 });
const paymentId = plainText(1, PAYMENT_ID_MAX);
const generalOfProject = Type.Object({ project_id: projectId }, CLOSED);
const generalOfPayment = Type.Object({ project_id: projectId, payment_id: paymentId }, CLOSED);
const direction = Type.Optional(Type.Enum(["payin", "payout"]));
const amount = Type.Optional(Type.Integer({ minimum: minorToJson(AMOUNT_MIN), maximum: minorToJson(AMOUNT_MAX) }));

function times(maximum: number) {
  return Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum }), Type.Literal("always")]));
}

export const projectBody = Type.Object({ general: generalOfProject }, CLOSED);

export const paymentsBody = Type.Object(
  { general: generalOfProject, limit: Type.Optional(Type.Integer({ minimum: 1, maximum: DESK_PAYMENTS_MAX })) },
  CLOSED,
);

export const paymentBody = Type.Object({ general: generalOfPayment, direction }, CLOSED);

export const actBody = Type.Object(
  {
    general: generalOfPayment,
    direction,
    action: Type.Enum([...DESK_ACTIONS]),
    amount,
    reason: Type.Optional(Type.Enum([...DECLINE_REASONS])),
  },
  CLOSED,
);

/** Either so many seconds, or up to the end of a payment's time: that is for the rules to say. */
export const clockBody = Type.Object(
  {
    general: Type.Object({ project_id: projectId, payment_id: Type.Optional(paymentId) }, CLOSED),
    direction,
    seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: CLOCK_SECONDS_MAX })),
    to: Type.Optional(Type.Enum(["expiry"])),
  },
  CLOSED,
);

export const faultBody = Type.Object(
  {
    general: generalOfProject,
    kind: Type.Enum([...FAULT_KINDS]),
    call: Type.Optional(Type.Enum([...FAULT_CALLS])),
    ms: Type.Optional(Type.Integer({ minimum: 0, maximum: FAULT_MS_MAX })),
    times: times(FAULT_TIMES_MAX),
  },
  CLOSED,
);

export const callbacksBody = Type.Object(
  { general: generalOfProject, after: Type.Optional(Type.String({ minLength: 1, maxLength: 32 })) },
  CLOSED,
);

export const echoAnswerBody = Type.Object(
  {
    general: generalOfProject,
    status: Type.Integer({ minimum: 200, maximum: 599 }),
    times: times(ECHO_TIMES_MAX),
  },
  CLOSED,
);

/** A call of the merchant API that a page makes for its tester; the call's own schema judges its body. */
export const testerCallBody = Type.Object(
  { general: generalOfProject, path: Type.String({ maxLength: 64 }), body: Type.Object({}) },
  CLOSED,
);

export const callbackUrlBody = Type.Object({ general: generalOfProject, url: plainText(1, MERCHANT_URL_MAX) }, CLOSED);

export type PaymentsBody = Static<typeof paymentsBody>;
export type PaymentBody = Static<typeof paymentBody>;
export type ActBody = Static<typeof actBody>;
export type ClockBody = Static<typeof clockBody>;
export type FaultBody = Static<typeof faultBody>;
export type CallbacksBody = Static<typeof callbacksBody>;
export type EchoAnswerBody = Static<typeof echoAnswerBody>;
export type TesterCallBody = Omit<Static<typeof testerCallBody>, "body"> & { readonly body: JsonObject };
export type CallbackUrlBody = Static<typeof callbackUrlBody>;
