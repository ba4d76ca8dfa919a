import { type Static, Type } from "typebox";
import { jsonReader } from "../../platform/json-reader.ts";

/**
 * The protocol's shapes, as far as we read them. Members that are not listed are ignored; words stay text until they are
 * translated.
 */
const Word = Type.String({ maxLength: 64 });
const Text = Type.String({ maxLength: 2048 });
/** The messages of 3-D Secure. */
const Message = Type.String({ minLength: 1, maxLength: 60_000 });
const Sum = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
/** What arrived may be more than was asked for, so more than a request's limit. */
const Amount = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const PaymentId = Type.String({ minLength: 1, maxLength: 1024 });

function nullable<S extends typeof Word | typeof Text>(shape: S) {
  return Type.Optional(Type.Union([shape, Type.Null()]));
}

const Terms = Type.Object({
  method: Type.Optional(Word),
  amount: Amount,
  requested_amount: Type.Optional(Amount),
  received_amount: Type.Optional(Sum),
  currency: Word,
  fee: Type.Optional(Sum),
});

const Requisites = Type.Object({
  type: Word,
  pan: Type.Optional(Text),
  phone: Type.Optional(Text),
  account_number: Type.Optional(Text),
  url: Type.Optional(Text),
  holder: nullable(Text),
  bank: nullable(Word),
  bank_name: nullable(Text),
});

const ThreeDs = Type.Object({
  version: Word,
  acs_url: Text,
  creq: Type.Optional(Message),
  three_ds_session_data: Type.Optional(Message),
  pa_req: Type.Optional(Message),
  md: Type.Optional(Message),
  term_url: Type.Optional(Text),
});

const Integration = Type.Object({ redirect_url: Type.Optional(Text), three_ds: Type.Optional(ThreeDs) });

const Payment = Type.Object({
  project_id: Word,
  payment_id: PaymentId,
  status: Word,
  sub_status: nullable(Word),
  decline_code: nullable(Word),
  payment: Terms,
  requisites: Type.Optional(Requisites),
  integration: Type.Optional(Integration),
  updated_at: Type.Optional(Word),
});

const Refusal = Type.Object({
  code: Word,
  errors: Type.Optional(Type.Array(Type.Object({ field: Text }), { maxItems: 1_000 })),
});

const Balances = Type.Object({
  balance: Type.Array(Type.Object({ currency: Word, amount: Sum, locked_amount: Sum }), { maxItems: 1_000 }),
});

const Banks = Type.Array(
  Type.Object({
    name: Type.String({ minLength: 1, maxLength: 256 }),
    symbol: Type.String({ minLength: 1, maxLength: 64 }),
    sbp_code: Word,
    is_sbp_bank: Type.Boolean(),
    country_code: Word,
  }),
  { maxItems: 10_000 },
);

const Callback = Type.Object({
  project_id: Word,
  general: Type.Object({ payment_id: PaymentId }),
  payment_info: Type.Object({ type: Word, method: Type.Optional(Word) }),
});

export type WireRequisites = Static<typeof Requisites>;
export type WireThreeDs = Static<typeof ThreeDs>;
export type WirePayment = Static<typeof Payment>;
export type WireCallback = Static<typeof Callback>;

export const readPayment = jsonReader(Payment);
export const readRefusal = jsonReader(Refusal);
export const readBalances = jsonReader(Balances);
export const readBankList = jsonReader(Banks);
export const readCallback = jsonReader(Callback);
