import type { FastifyRequest } from "fastify";
import { type Static, type TSchema, Type } from "typebox";
import { Compile } from "typebox/schema";
import type { PayerDecision } from "../../app/page/choose-method.ts";
import type { Browser } from "../../core/card-acquirer.ts";
import { type Fault, fault } from "../../core/errors.ts";
import { parseStrictJson } from "../../platform/strict-json.ts";
import { CLOSED } from "../merchant/blocks.ts";
import { cardCode, cardNumber, plainText } from "../merchant/text-forms.ts";

const Choice = Type.Object({ method: plainText(1, 32), bank: Type.Optional(plainText(1, 64)) }, CLOSED);

const Card = Type.Object(
  {
    pan: cardNumber,
    cvv: cardCode,
    /** Whether it may be missing depends on who charges the card. */
    card_holder: Type.Optional(plainText(2, 64)),
    expiry_month: Type.Integer({ minimum: 1, maximum: 12 }),
    expiry_year: Type.Integer({ minimum: 1000, maximum: 9999 }),
    /** Judged by itself, so that the fault says which of the two is wrong. */
    browser: Type.Optional(Type.Unknown()),
  },
  CLOSED,
);

const SCREEN_SIDE_MAX = 100_000;
/** In minutes; no place on earth is further from UTC than fourteen hours. */
const TIMEZONE_OFFSET_MAX = 840;
/** As much of a header as acquirers take. */
const HEADER_MAX = 2048;

/** All that a page can know of its browser; each member may be missing, and none may be anything else. */
const BrowserFacts = Type.Object(
  {
    language: Type.Optional(Type.String({ maxLength: 35, pattern: "^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$" })),
    color_depth: Type.Optional(Type.Integer({ minimum: 1, maximum: 64 })),
    screen_width: Type.Optional(Type.Integer({ minimum: 0, maximum: SCREEN_SIDE_MAX })),
    screen_height: Type.Optional(Type.Integer({ minimum: 0, maximum: SCREEN_SIDE_MAX })),
    timezone_offset: Type.Optional(Type.Integer({ minimum: -TIMEZONE_OFFSET_MAX, maximum: TIMEZONE_OFFSET_MAX })),
    java_enabled: Type.Optional(Type.Boolean()),
  },
  CLOSED,
);

const isChoice = checker(Choice);
const isCard = checker(Card);
const isBrowserFacts = checker(BrowserFacts);

/** What the payer decided, from the body of a page's request. No fault repeats what was sent: it may be a card. */
export function readDecision(
  kind: "choose" | "card",
  request: FastifyRequest,
): { readonly kind: "choose"; readonly decision: PayerDecision } | Fault {
  const json = parseStrictJson(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));
  const value = json.ok ? json.value : undefined;
  if (kind === "choose" && isChoice(value)) {
    return { kind: "choose", decision: { kind: "p2p", code: value.method, bank: value.bank } };
  }
  if (kind === "card" && isCard(value)) {
    const { pan, cvv, card_holder: holder, expiry_month: expiryMonth, expiry_year: expiryYear } = value;
    const { browser: facts = {} } = value;
    if (!isBrowserFacts(facts)) return fault("validation_failed", "what is said of the browser is not understood");
    const card = { pan, cvv, holder, expiryMonth, expiryYear };
    return { kind: "choose", decision: { kind: "card", card, browser: browserOf(request, facts) } };
  }
  return fault("validation_failed", kind === "card" ? "the card is not complete" : "the choice is not understood");
}

/** What the page cannot see of its own requests is taken from this one. */
function browserOf({ headers }: FastifyRequest, facts: Static<typeof BrowserFacts>): Browser {
  return {
    acceptHeader: headerText(headers.accept),
    userAgent: headerText(headers["user-agent"]),
    language: facts.language,
    colorDepth: facts.color_depth,
    screenWidth: facts.screen_width,
    screenHeight: facts.screen_height,
    timezoneOffset: facts.timezone_offset,
    javaEnabled: facts.java_enabled,
  };
}

function headerText(value: string | undefined): string | undefined {
  return value?.replace(/\p{Cc}/gu, "").slice(0, HEADER_MAX);
}

function checker<S extends TSchema>(schema: S): (value: unknown) => value is Static<S> {
  const compiled = Compile(schema);
  return (value): value is Static<S> => compiled.Check(value);
}
