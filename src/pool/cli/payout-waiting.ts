import { type CliContext, type CommandInput, EXIT, type ExitCode } from "../../cli/kit/command.ts";
import { secondsBetween, showDuration } from "../../cli/kit/durations.ts";
import { printJson, renderTable, showInstant } from "../../cli/kit/output.ts";
import { instantJson } from "../../cli/payments/payment-view.ts";
import { formatMoney, minorToJson } from "../../core/money.ts";
import { maskReceiver } from "../../core/payments/receiver.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { Database } from "../../store/db.ts";
import { openReceiver } from "../app/export-payouts.ts";
import { listWaitingPayouts, type WaitingFilter, type WaitingPayout } from "../store/read-hand-payouts.ts";

/** `payout list --waiting`: the payouts that wait for a person. */

export async function printWaitingPayouts(
  context: CliContext,
  db: Database,
  input: CommandInput,
  filter: WaitingFilter,
): Promise<ExitCode> {
  const found = await listWaitingPayouts(db, { ...filter, limit: filter.limit + 1 });
  const page = found.slice(0, filter.limit);
  const next = found.length > page.length ? page.at(-1)?.requestId : undefined;
  const keyring = page.length === 0 ? undefined : await context.openKeyring(db);
  const shown = keyring === undefined ? [] : page.map((payout) => ({ payout, receiver: receiverOf(keyring, payout) }));
  if (input.flag("json")) {
    printJson(context, { payouts: shown.map(waitingJson), next_after: next ?? null });
  } else {
    context.print(shown.length === 0 ? "There are none." : renderWaiting(shown));
    if (next !== undefined) context.print(`\nThere are more: the same again with --after ${next}`);
  }
  return EXIT.done;
}

type Shown = { readonly payout: WaitingPayout; readonly receiver: string | undefined };

/** Masked; undefined where it was tampered with. */
function receiverOf(keyring: Keyring, payout: WaitingPayout): string | undefined {
  const receiver = openReceiver(keyring, payout);
  return receiver === undefined ? undefined : maskReceiver(receiver);
}

function renderWaiting(payouts: readonly Shown[]): string {
  const titles = ["REQUEST", "CODE", "WAITS", "AMOUNT", "RECEIVER", "STATE", "HANDED OUT", "BY", "ACCOUNT", "EXPORT"];
  return renderTable(
    titles.map((title) => (title === "AMOUNT" || title === "WAITS" ? { title, align: "right" } : { title })),
    payouts.map(({ payout, receiver }) => [
      payout.requestId,
      payout.code,
      showDuration(secondsBetween(payout.createdAt, payout.now)),
      formatMoney(payout.amount, payout.currency),
      receiver ?? "cannot be opened",
      payout.state,
      payout.exportedAt === null ? "no" : showInstant(payout.exportedAt),
      payout.exportedBy ?? "",
      payout.account ?? "",
      payout.exportId ?? "",
    ]),
  );
}

function waitingJson({ payout, receiver }: Shown) {
  return {
    request_id: payout.requestId,
    project_id: payout.projectId,
    book: payout.book,
    state: payout.state,
    code: payout.code,
    amount: minorToJson(payout.amount),
    currency: payout.currency,
    receiver: receiver ?? null,
    since: payout.createdAt.toISOString(),
    account: payout.account,
    exported_at: instantJson(payout.exportedAt),
    exported_by: payout.exportedBy,
    export_id: payout.exportId,
  };
}
