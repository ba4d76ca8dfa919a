import { type Static, Type } from "typebox";
import { jsonReader } from "../../platform/json-reader.ts";

/** The sandbox provider's shapes. Members that are not listed are ignored; its words stay text until they are translated. */
const Word = Type.String({ maxLength: 64 });
const Text = Type.String({ maxLength: 2048 });
const Message = Type.String({ minLength: 1, maxLength: 16_384 });
/** What arrived may be more than was asked for, so more than a request's limit. */
const Amount = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

const Requisites = Type.Object({
  type: Word,
  value: Type.String({ minLength: 1, maxLength: 2048 }),
  holder: Type.Optional(Text),
  bank: Type.Optional(Text),
  bank_name: Type.Optional(Text),
});

const Receipt = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64 }),
  amount: Amount,
  received_at: Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$" }),
  reversed: Type.Optional(Type.Boolean()),
});

const Payin = Type.Object({
  reference: Word,
  status: Word,
  requisites: Type.Optional(Requisites),
  transfers: Type.Array(Receipt, { maxItems: 10_000 }),
});

const Payout = Type.Object({
  reference: Word,
  status: Word,
  reason: Type.Optional(Word),
  amount: Type.Optional(Amount),
  currency: Type.Optional(Word),
});

const ThreeDs = Type.Object({
  version: Word,
  acs_url: Text,
  creq: Type.Optional(Message),
  three_ds_session_data: Type.Optional(Message),
  method_url: Type.Optional(Text),
  method_transaction_id: Type.Optional(Word),
  pa_req: Type.Optional(Message),
  md: Type.Optional(Message),
  term_url: Type.Optional(Text),
});

const Charge = Type.Object({
  reference: Word,
  status: Word,
  reason: Type.Optional(Word),
  approved_amount: Type.Optional(Amount),
  three_ds: Type.Optional(ThreeDs),
  redirect_url: Type.Optional(Text),
});

const ChargeBrowser = Type.Object({ browser: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]) });

const Refusal = Type.Object({ error: Type.Object({ code: Word }) });

const Notification = Type.Object({ direction: Word, reference: Type.String({ minLength: 1, maxLength: 64 }) });

/** One, or several in one request. */
const NotificationBody = Type.Union([
  Type.Object({ notifications: Type.Array(Notification, { minItems: 1, maxItems: 1_000 }) }),
  Notification,
]);

const FaultList = Type.Object({
  faults: Type.Array(
    Type.Object({
      kind: Word,
      call: Word,
      ms: Type.Integer(),
      times: Type.Union([Type.Integer(), Type.Literal("always")]),
    }),
  ),
});

const Sum = Type.Object({ currency: Word, amount: Type.String({ pattern: "^[0-9]{1,40}$" }), entries: Type.Integer() });

const Books = Type.Object({ arrived: Type.Array(Sum), left: Type.Array(Sum) });

const EntriesPage = Type.Object({
  entries: Type.Array(
    Type.Object({ id: Word, direction: Word, reference: Word, project_id: Word, currency: Word, amount: Amount }),
  ),
  next: Type.Union([Type.Integer(), Type.Null()]),
});

export type WireRequisites = Static<typeof Requisites>;
export type WireReceipt = Static<typeof Receipt>;
export type WirePayin = Static<typeof Payin>;
export type WirePayout = Static<typeof Payout>;
export type WireThreeDs = Static<typeof ThreeDs>;
export type WireCharge = Static<typeof Charge>;
export type WireNotification = Static<typeof Notification>;
export type WireBooks = Static<typeof Books>;
export type WireEntriesPage = Static<typeof EntriesPage>;

export const readPayin = jsonReader(Payin);
export const readPayout = jsonReader(Payout);
export const readCharge = jsonReader(Charge);
export const readChargeBrowser = jsonReader(ChargeBrowser);
export const readRefusal = jsonReader(Refusal);
export const readNotificationBody = jsonReader(NotificationBody);
export const readFaultList = jsonReader(FaultList);
export const readBooks = jsonReader(Books);
export const readEntriesPage = jsonReader(EntriesPage);
