import type { TSchema } from "typebox";
import type { ReadBalances } from "../../app/ledger/read-balances.ts";
import type { ApplyPayment } from "../../app/payments/apply-payments.ts";
import type { CreateDeps } from "../../app/payments/create-payment.ts";
import type { ReadShownPayment } from "../../app/payments/show-payment.ts";
import type { CallLog } from "../../app/request-log/call-log.ts";
import type { Fault, FieldFault } from "../../core/errors.ts";
import type { Result } from "../../core/result.ts";
import type { Log } from "../../platform/log.ts";
import type { JsonValue } from "../../platform/strict-json.ts";
import type { DeadlineDeps } from "../request-deadline.ts";
import type { AdmitDeps, AdmittedCall, ProjectCall } from "./admit.ts";

export type MerchantDeps = AdmitDeps &
  CreateDeps &
  DeadlineDeps & {
    readonly readBalances: ReadBalances;
    readonly readPayment: ReadShownPayment;
    readonly apply: ApplyPayment;
    readonly log: Log;
    readonly callLog: Pick<CallLog, "note" | "noteUnsigned"> | undefined;
    readonly mode: "development" | "production";
    /** Where merchants and payers reach us. */
    readonly publicUrl: () => string;
  };

/** One endpoint for merchants: its path, what its body must be, and what it answers. */
export type MerchantCall<Call = AdmittedCall> = {
  readonly path: string;
  readonly body: TSchema;
  /** What a schema cannot say of the body, and time cannot change. */
  readonly rules?: (deps: MerchantDeps) => (body: JsonValue) => readonly FieldFault[];
  readonly answer: (deps: MerchantDeps, call: Call) => Promise<Result<MerchantAnswer, Fault>>;
};

/** One that needs no signature: the tester's desk makes it too. */
export type PaymentCall = MerchantCall<ProjectCall>;

/** The answer as JSON text; `replayed` where an earlier call did what this one asks for. */
type MerchantAnswer = { readonly json: string; readonly replayed?: boolean };
