import { type Static, Type } from "typebox";
import { jsonReader } from "../platform/json-reader.ts";

/** What the sandbox takes over HTTP. */
const REFERENCE_MAX = 64;
const REFERENCE = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
export const Reference = Type.String({ maxLength: REFERENCE_MAX, pattern: REFERENCE.source });
export const ProjectId = Type.String({ maxLength: 64, pattern: "^[A-Za-z0-9_-]+$" });
export const Amount = Type.Integer({ minimum: 1, maximum: 10_000_000_000_000 });
export const Code = Type.String({ minLength: 1, maxLength: 64, pattern: "^[^\\u0000-\\u001f]+$" });
export const Time = Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,6})?Z$" });
export const exact = { additionalProperties: false } as const;

/** Of one that comes in a path. */
export function isReference(text: string): boolean {
  return text.length <= REFERENCE_MAX && REFERENCE.test(text);
}

const shared = { reference: Reference, project_id: ProjectId, method: Code, amount: Amount, currency: Code };

const PayinRequest = Type.Object(
  {
    ...shared,
    bank: Type.Optional(Type.Object({ symbol: Code, required: Type.Boolean() }, exact)),
    expires_at: Time,
  },
  exact,
);

const PayoutRequest = Type.Object(
  {
    ...shared,
    receiver: Type.Union([
      Type.Object({ pan: Code, holder: Type.Optional(Code) }, exact),
      Type.Object({ phone: Code, bank: Type.Optional(Code) }, exact),
      Type.Object({ account_number: Code, bank: Code, name: Code }, exact),
    ]),
  },
  exact,
);

const Clock = Type.Object({ project_id: ProjectId, seconds: Type.Integer({ minimum: 1, maximum: 31_536_000 }) }, exact);

const Fault = Type.Object(
  {
    project_id: Type.Optional(ProjectId),
    reference: Type.Optional(Reference),
    kind: Type.Union(
      (
        [
          "slow",
          "error500_after_success",
          "error500_before",
          "garbage",
          "reset",
          "duplicate",
          "out_of_order",
          "method_step",
          "plain_redirect",
          "slow_approval",
          "late_approval",
          "wrong_amount",
        ] as const
      ).map((kind) => Type.Literal(kind)),
    ),
    call: Type.Optional(
      Type.Union(
        (
          [
            "create",
            "confirm",
            "release",
            "authenticate",
            "reverse",
            "cancel",
            "state",
            "answer",
            "notification",
          ] as const
        ).map((call) => Type.Literal(call)),
      ),
    ),
    ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
    times: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: 1_000_000 }), Type.Literal("always")])),
  },
  exact,
);

const Money = Type.Object({ amount: Amount }, exact);

const PayoutEnd = Type.Object(
  {
    status: Type.Union(
      (["paid", "rejected", "failed", "wrong_details", "returned"] as const).map((status) => Type.Literal(status)),
    ),
    reason: Type.Optional(Code),
  },
  exact,
);

const Url = Type.String({ minLength: 1, maxLength: 2048 });
const Settings = Type.Object({ notify_url: Url, public_url: Type.Optional(Url) }, exact);

export type PayinRequestBody = Static<typeof PayinRequest>;
export type PayoutRequestBody = Static<typeof PayoutRequest>;
export type FaultBody = Static<typeof Fault>;
export type PayoutEndBody = Static<typeof PayoutEnd>;

export const readPayinRequest = jsonReader(PayinRequest);
export const readPayoutRequest = jsonReader(PayoutRequest);
export const readClockMove = jsonReader(Clock);
export const readFault = jsonReader(Fault);
export const readMoney = jsonReader(Money);
export const readPayoutEnd = jsonReader(PayoutEnd);
export const readSettings = jsonReader(Settings);
