import type { Connector, PayinState } from "../../core/connector.ts";
import { groupBy } from "../../core/group-by.ts";
import { kindOf } from "../../core/payments/kinds.ts";
import type { OpenAttempt } from "../../store/restore/open-attempts.ts";

/** What a provider said of an attempt; `unknown`: it did not answer, or could not be asked. */
export type AskedAttempt = OpenAttempt & { readonly answer: string };

/** Opens the line to a provider; undefined where it cannot be asked. The caller closes it. */
export type OpenLine = (provider: string) => Promise<(Connector & { close: () => Promise<void> }) | undefined>;

/** Questions to one provider at the same time. */
const ASKED_AT_ONCE = 8;

/** Each provider by itself: one that does not answer delays no other. It changes nothing. */
export async function askProviders(
  attempts: readonly OpenAttempt[],
  openLine: OpenLine,
  onProgress: (asked: number) => void,
): Promise<AskedAttempt[]> {
  let asked = 0;
  const onAnswer = () => {
    asked += 1;
    onProgress(asked);
  };
  const groups = [...groupBy(attempts, ({ provider }) => provider)];
  return (await Promise.all(groups.map(([code, each]) => askOne(code, each, openLine, onAnswer)))).flat();
}

async function askOne(
  code: string,
  attempts: readonly OpenAttempt[],
  openLine: OpenLine,
  onAnswer: () => void,
): Promise<AskedAttempt[]> {
  const line = await openLine(code);
  const answers: AskedAttempt[] = [];
  const waiting = attempts.values();
  const hand = async () => {
    for (const attempt of waiting) {
      const answer = line === undefined ? "unknown" : await ask(line, attempt).catch(() => "unknown");
      answers.push({ ...attempt, answer });
      onAnswer();
    }
  };
  try {
    await Promise.all(Array.from({ length: ASKED_AT_ONCE }, hand));
    return answers.sort((one, other) => (one.requestId < other.requestId ? -1 : 1));
  } finally {
    await line?.close();
  }
}

async function ask(line: Connector, attempt: OpenAttempt): Promise<string> {
  const { reference, direction, method, amount, currency } = attempt;
  if (direction === "payout") {
    const state = await line.askPayoutState(reference);
    const requested = "requested" in state ? state.requested : undefined;
    const isOther = requested !== undefined && (requested.amount !== amount || requested.currency !== currency);
    return isOther ? "conflict" : state.kind;
  }
  if (method !== null && kindOf({ direction, method }) === "card")
    return (await line.cards?.askChargeState(reference))?.kind ?? "unknown";
  return answerOf(await line.askPayinState(reference), attempt);
}

/** Money that we have not counted is what an operator wants to see. */
function answerOf(state: PayinState, { receivedAmount }: OpenAttempt): string {
  if (state.kind !== "open" && state.kind !== "declined") return state.kind;
  const counted = state.receipts.filter(({ reversed }) => reversed !== true);
  const arrived = state.total?.amount ?? counted.reduce((sum, { amount }) => sum + amount, 0n);
  return arrived > receivedAmount ? "money_arrived" : state.kind;
}

/** It is as far as we are: nothing is to be learnt from it. */
const EXPECTED: ReadonlySet<string> = new Set(["pending", "open", "challenge", "redirect"]);

/** The provider knows something of it that this database does not, or knows nothing of it. */
export function isNews({ answer }: AskedAttempt): boolean {
  return !EXPECTED.has(answer);
}
