import { type Static, Type } from "typebox";
import { jsonReader } from "../../platform/json-reader.ts";
import { Amount, Code, exact, ProjectId, Reference, Time } from "../wire.ts";

/** What the card acquirer takes over HTTP. */
const Word = Type.String({ maxLength: 2048 });
const Count = Type.Integer({ minimum: -100_000, maximum: 100_000 });
const Message = Type.String({ minLength: 1, maxLength: 16_384, pattern: "^[A-Za-z0-9+/=_-]+$" });

const Card = Type.Object(
  {
    pan: Type.String({ pattern: "^[0-9]{12,19}$" }),
    cvv: Type.String({ pattern: "^[0-9]{3,4}$" }),
    card_holder: Type.Optional(Code),
    expiry_month: Type.Integer({ minimum: 1, maximum: 12 }),
    expiry_year: Type.Integer({ minimum: 1000, maximum: 9999 }),
  },
  exact,
);

const Browser = Type.Object(
  {
    accept_header: Type.Optional(Word),
    user_agent: Type.Optional(Word),
    language: Type.Optional(Word),
    color_depth: Type.Optional(Count),
    screen_width: Type.Optional(Count),
    screen_height: Type.Optional(Count),
    timezone_offset: Type.Optional(Count),
    java_enabled: Type.Optional(Type.Boolean()),
  },
  exact,
);

const ChargeRequest = Type.Object(
  {
    reference: Reference,
    project_id: ProjectId,
    merchant_name: Type.Optional(Code),
    amount: Amount,
    currency: Type.String({ pattern: "^[A-Z]{3}$" }),
    card: Card,
    return_url: Type.String({ maxLength: 2048, pattern: "^https?://[^\\u0000-\\u0020]+$" }),
    browser: Type.Optional(Browser),
    expires_at: Time,
  },
  exact,
);

const AuthenticationResult = Type.Union([
  Type.Object({ cres: Message }, exact),
  Type.Object({ pa_res: Message, md: Message }, exact),
]);

const ChargeEnd = Type.Union([
  Type.Object({ status: Type.Literal("approved"), amount: Type.Optional(Amount) }, exact),
  Type.Object(
    {
      status: Type.Literal("declined"),
      reason: Type.Optional(
        Type.Union(
          (
            [
              "card_declined",
              "insufficient_funds",
              "card_expired",
              "processing_error",
              "authentication_failed",
              "cancelled",
              "expired",
            ] as const
          ).map((reason) => Type.Literal(reason)),
        ),
      ),
    },
    exact,
  ),
  Type.Object({ status: Type.Union([Type.Literal("pending"), Type.Literal("reversed")]) }, exact),
]);

export type ChargeRequestBody = Static<typeof ChargeRequest>;
export type AuthenticationResultBody = Static<typeof AuthenticationResult>;
export type ChargeEndBody = Static<typeof ChargeEnd>;

export const readChargeRequest = jsonReader(ChargeRequest);
export const readAuthenticationResult = jsonReader(AuthenticationResult);
export const readChargeEnd = jsonReader(ChargeEnd);
