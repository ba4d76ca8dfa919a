import type { CliContext, CommandInput, OptionSpec } from "../../cli/kit/command.ts";
import { showForeignText } from "../../cli/kit/foreign-text.ts";
import { readPlainText, requiredText, wrongUsage } from "../../cli/kit/option-values.ts";
import type { Id } from "../../core/ids.ts";
import { maskNumbers } from "../../core/mask-numbers.ts";
import type { Database } from "../../store/db.ts";
import { type RevealedPayer, revealPayers } from "../app/reveal-payers.ts";
import type { PayerReveal } from "../store/payer-reveals.ts";
import type { ShownLine } from "../store/read-bank-lines.ts";

/** What banks say of the other side of lines: sealed, and shown to an operator who asks and says why. */

/** More names at once are never needed to find one. */
const REVEALED_MAX = 50;
const REASON_MAX = 1000;
const PAYER_CHARACTERS_MAX = 120;

export const PAYER_OPTIONS = {
  "reveal-payer": {
    type: "boolean",
    help: `what the bank says of the other side too, of at most ${REVEALED_MAX}; recorded with your name`,
  },
  reason: { type: "string", value: "TEXT", help: "with --reveal-payer: why you look; recorded too" },
} as const satisfies Record<string, OptionSpec>;

export const PAYER_NOTES: readonly string[] = [
  "Who was shown which payer, when and why: see transfer reveals.",
  'Example: {program} transfer list --reference FT-81-2 --reveal-payer --reason "whose money is it"',
];

/** Undefined where no payer is asked for. */
export function readReveal(context: CliContext, input: CommandInput, limit: number): PayerReveal | undefined {
  if (!input.flag("reveal-payer")) {
    if (input.text("reason") !== undefined) throw wrongUsage("--reason goes with --reveal-payer.");
    return undefined;
  }
  const reason = readPlainText(requiredText(input, "reason"), "--reason", REASON_MAX);
  if (limit > REVEALED_MAX) throw wrongUsage(`--reveal-payer takes at most --limit ${REVEALED_MAX}.`);
  return { actor: context.actor, reason };
}

type ShownPayer = { readonly kind: RevealedPayer["kind"]; readonly payer: string | null; readonly text: string };
export type ShownPayers = ReadonlyMap<Id, ShownPayer>;

export async function showPayers(
  context: CliContext,
  db: Database,
  lines: readonly ShownLine[],
  reveal: PayerReveal,
): Promise<ShownPayers> {
  const keyring = await context.openKeyring(db);
  const ids = lines.map(({ id }) => id);
  const revealed = await revealPayers({ db, keyring }, ids, reveal);
  return new Map([...revealed].map(([id, payer]) => [id, shownPayer(payer)]));
}

/** A bank may name a card there: long numbers are shown in part, as everywhere. */
function shownPayer(revealed: RevealedPayer): ShownPayer {
  switch (revealed.kind) {
    case "shown": {
      const payer = maskNumbers(Buffer.from(revealed.payer)).toString("utf8");
      return { kind: revealed.kind, payer, text: showForeignText(payer, PAYER_CHARACTERS_MAX) };
    }
    case "none":
      return { kind: revealed.kind, payer: null, text: "-" };
    case "unreadable":
      return { kind: revealed.kind, payer: null, text: "cannot be opened" };
  }
}

export function payerJson({ id }: ShownLine, payers: ShownPayers | undefined) {
  const shown = payers?.get(id);
  return shown === undefined ? {} : { payer: shown.payer, payer_readable: shown.kind !== "unreadable" };
}
