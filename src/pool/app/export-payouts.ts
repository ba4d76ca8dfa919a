import type { PayoutReceiver } from "../../core/connector.ts";
import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Minor } from "../../core/money.ts";
import { receiverFromText } from "../../core/payments/receiver.ts";
import { POOL_PROVIDER } from "../../core/providers.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { listBanks, type StoredBank } from "../../store/merchants/banks.ts";
import { listPauses } from "../../store/merchants/pauses.ts";
import { lockPayments } from "../../store/payments/payments.ts";
import { mayMoneyLeave } from "../../store/restore/restores.ts";
import {
  type ExportablePayout,
  listExport,
  listExportable,
  lockExports,
  markExported,
} from "../store/hand-payout-exports.ts";
import { findReceivingAccount, type StoredAccount } from "../store/receiving-accounts.ts";
import { listCodesPaidBefore } from "./match-debits.ts";
import { unsealText } from "./pool-secrets.ts";

type Deps = { readonly db: Database; readonly keyring: Keyring };

/** A payout in plain text, for the operator who pays it. */
type PaymentInstruction = {
  readonly code: string;
  readonly requestId: Id;
  readonly receiver: PayoutReceiver;
  /** The receiver's, where the method names one. */
  readonly bank: StoredBank | undefined;
  readonly amount: Minor;
  readonly currency: Currency;
};

export type ExportedPayouts = {
  readonly exportId: Id;
  readonly account: string;
  readonly payouts: readonly PaymentInstruction[];
  /** What was written cannot be opened: it was tampered with. They were not handed out. */
  readonly broken: readonly Id[];
  /** A debit that no payout explains names them: an operator may have paid them before. They were not handed out. */
  readonly paidBefore: readonly Id[];
  /** Of a former export: how many have ended since, or wait for a pause to end. */
  readonly leftOut: number;
};

export type ExportFault = "account_unknown" | "currency_differs" | "payouts_paused" | "export_unknown";

export type ExportCommand = {
  readonly exportId: Id;
  readonly account: string;
  /** Left out: the account's own. */
  readonly currency: Currency | undefined;
  readonly limit: number;
  readonly actor: string;
};

/**
 * Hands payouts out to be paid from an account, each to one person only: they are marked in the commit that ends before
 * anything is written anywhere.
 */
export function exportPayouts(deps: Deps, command: ExportCommand): Promise<Result<ExportedPayouts, ExportFault>> {
  return deps.db.transaction(async (tx) => {
    const account = await findReceivingAccount(tx, command.account);
    if (account === undefined) return fail("account_unknown");
    if (command.currency !== undefined && command.currency !== account.currency) return fail("currency_differs");
    await lockExports(tx);
    if (await areAllPaused(tx)) return fail("payouts_paused");
    const { chosen, broken, paidBefore } = await choose(tx, deps.keyring, account, command.limit);
    const payments = chosen.map(({ payout: { projectId, requestId } }) => ({ projectId, requestId }));
    // They may have ended while they were chosen; from here on they cannot.
    await lockPayments(tx, payments);
    const references = chosen.map(({ payout }) => payout.reference);
    const { exportId, actor } = command;
    const marked = await markExported(tx, { exportId, accountId: account.id, actor, references });
    const payouts = chosen.filter(({ payout }) => marked.has(payout.reference)).map(({ instruction: each }) => each);
    return ok({ exportId, account: account.code, payouts, broken, paidBefore, leftOut: 0 });
  });
}

/** The same list again, without those that have ended since: the operator must not pay these again. */
export function repeatExport(deps: Deps, exportId: Id): Promise<Result<ExportedPayouts, ExportFault>> {
  return deps.db.transaction(async (tx) => {
    const exported = await listExport(tx, exportId);
    const account = exported[0]?.accountCode ?? undefined;
    if (account === undefined) return fail("export_unknown");
    if (await areAllPaused(tx)) return fail("payouts_paused");
    const banks = await listBanks(tx);
    const wanted = exported.filter(({ waiting, paused }) => waiting && !paused);
    const { opened, broken } = openAll(deps.keyring, banks, wanted);
    const payouts = opened.map(({ instruction }) => instruction);
    return ok({ exportId, account, payouts, broken, paidBefore: [], leftOut: exported.length - wanted.length });
  });
}

/** Those of one project are passed over; a pause of everything, or of the pool, and a restored backup are an answer. */
async function areAllPaused(tx: Transaction): Promise<boolean> {
  if (!(await mayMoneyLeave(tx))) return true;
  const pauses = await listPauses(tx);
  return pauses.some(
    ({ kind, name }) => (kind === "payouts" && name === "") || (kind === "provider" && name === POOL_PROVIDER),
  );
}

type Opened = { readonly payout: ExportablePayout; readonly instruction: PaymentInstruction };

/** A payout that cannot be decrypted, or that may have been paid before, takes no place in the list. */
async function choose(tx: Transaction, keyring: Keyring, { book, currency }: StoredAccount, limit: number) {
  const banks = await listBanks(tx);
  const paidCodes = await listCodesPaidBefore(tx, keyring, book);
  const chosen: Opened[] = [];
  const passedOver: ExportablePayout[] = [];
  const [brokenIds, paidBefore]: [Id[], Id[]] = [[], []];
  for (;;) {
    const except = [...chosen.map(({ payout }) => payout), ...passedOver].map(({ reference }) => reference);
    const found = await listExportable(tx, { book, currency, limit: limit - chosen.length, except });
    const named = found.filter(({ code }) => paidCodes.has(code));
    const { opened, broken } = openAll(
      keyring,
      banks,
      found.filter(({ code }) => !paidCodes.has(code)),
    );
    chosen.push(...opened);
    brokenIds.push(...broken);
    paidBefore.push(...named.map(({ requestId }) => requestId));
    passedOver.push(...named, ...found.filter(({ requestId }) => broken.includes(requestId)));
    if (broken.length + named.length === 0) return { chosen, broken: brokenIds, paidBefore };
  }
}

function openAll(keyring: Keyring, banks: readonly StoredBank[], payouts: readonly ExportablePayout[]) {
  const opened: Opened[] = [];
  const broken: Id[] = [];
  for (const payout of payouts) {
    const receiver = openReceiver(keyring, payout);
    if (receiver === undefined) broken.push(payout.requestId);
    else opened.push({ payout, instruction: instructionOf(payout, receiver, banks) });
  }
  return { opened, broken };
}

function instructionOf(
  payout: ExportablePayout,
  receiver: PayoutReceiver,
  banks: readonly StoredBank[],
): PaymentInstruction {
  const { code, requestId, amount, currency } = payout;
  const symbol = receiver.type === "card" ? undefined : receiver.bank;
  return { code, requestId, amount, currency, receiver, bank: banks.find((bank) => bank.symbol === symbol) };
}

/** Undefined where it was tampered with. */
export function openReceiver(
  keyring: Keyring,
  { reference, receiver }: Pick<ExportablePayout, "reference" | "receiver">,
): PayoutReceiver | undefined {
  try {
    const place = { table: "hand_payouts", column: "receiver", row: reference } as const;
    return receiverFromText(unsealText(keyring, place, receiver));
  } catch {
    return undefined;
  }
}
