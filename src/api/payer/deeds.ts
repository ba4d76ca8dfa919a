import type { FastifyRequest } from "fastify";
import { type Static, type TSchema, Type } from "typebox";
import { Compile } from "typebox/compile";
import type { PayerDecision } from "../../app/choose-method.ts";
import { type Fault, fault } from "../../core/errors.ts";
import { parseStrictJson } from "../../platform/strict-json.ts";
import { CLOSED } from "../merchant/blocks.ts";
import { cardCode, cardNumber, plainText } from "../merchant/text-forms.ts";

const Choice = Type.Object({ method: plainText(1, 32), bank: Type.Optional(plainText(1, 64)) }, CLOSED);

const Card = Type.Object(
  {
    pan: cardNumber,
    cvv: cardCode,
    card_holder: plainText(2, 64),
    expiry_month: Type.Integer({ minimum: 1, maximum: 12 }),
    expiry_year: Type.Integer({ minimum: 1000, maximum: 9999 }),
  },
  CLOSED,
);

const isChoice = checker(Choice);
const isCard = checker(Card);

/** What the payer decided, from the body of a page's request. No fault repeats what was sent: it may be a card. */
export function readDecision(
  kind: "choose" | "card",
  request: FastifyRequest,
): { readonly kind: "choose"; readonly decision: PayerDecision } | Fault {
  const json = parseStrictJson(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));
  const value = json.ok ? json.value : undefined;
  if (kind === "choose" && isChoice(value)) {
    return { kind: "choose", decision: { kind: "transfer", code: value.method, bank: value.bank } };
  }
  if (kind === "card" && isCard(value)) {
    const { pan, cvv, card_holder: holder, expiry_month: expiryMonth, expiry_year: expiryYear } = value;
    return { kind: "choose", decision: { kind: "card", card: { pan, cvv, holder, expiryMonth, expiryYear } } };
  }
  return fault("validation_failed", kind === "card" ? "the card is not complete" : "the choice is not understood");
}

function checker<S extends TSchema>(schema: S): (value: unknown) => value is Static<S> {
  const compiled = Compile(schema);
  return (value): value is Static<S> => compiled.Check(value);
}
