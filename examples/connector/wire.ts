import { type Static, Type } from "typebox";
import { jsonReader } from "../../src/platform/json-reader.ts";

/** Acme Pay's shapes. Members that are not listed are ignored; its words stay text until they are translated. */
const Word = Type.String({ minLength: 1, maxLength: 64 });
const Text = Type.String({ minLength: 1, maxLength: 256 });
const Amount = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
/** Seconds since 1970, up to the year 9999. */
const Time = Type.Integer({ minimum: 0, maximum: 253_402_300_799 });

const Deposit = Type.Object({
  reference: Word,
  state: Word,
  pay_to: Type.Optional(Type.Object({ card_number: Text, card_holder: Type.Optional(Text) })),
  credits: Type.Array(Type.Object({ id: Word, amount: Amount, credited_at: Time }), { maxItems: 1_000 }),
});

const Withdrawal = Type.Object({
  reference: Word,
  state: Word,
  reason: Type.Optional(Word),
  amount: Amount,
  currency: Word,
  fee: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
});

const Refusal = Type.Object({ error: Word });

const Event = Type.Object({ object: Word, reference: Word });

export type WireDeposit = Static<typeof Deposit>;
export type WireWithdrawal = Static<typeof Withdrawal>;
export type WireEvent = Static<typeof Event>;

export const readDeposit = jsonReader(Deposit);
export const readWithdrawal = jsonReader(Withdrawal);
export const readRefusal = jsonReader(Refusal);
export const readEvent = jsonReader(Event);
