import { randomInt } from "node:crypto";
import type { Answer } from "../answer.ts";
import type { SandboxDatabase } from "../database.ts";
import { openLots } from "../lots.ts";
import type { PayinRequestBody } from "../wire.ts";
import { type PayinRow, replayPayin, showPayin } from "./payin-answer.ts";
import { confirmPayins, findPayins, hashPayin, insertPayins, type NewPayin, releasePayins } from "./payins.ts";
import { makeRequisites } from "./requisites.ts";
import { payinScenario } from "./scenario.ts";

/** What a connector asks about pay-ins, each kind of question written in lots. */
export type PayinDesk = {
  readonly create: (body: PayinRequestBody) => Promise<Answer>;
  readonly confirm: (reference: string) => Promise<Answer>;
  readonly release: (reference: string) => Promise<Answer>;
  readonly show: (reference: string) => Promise<Answer>;
};

/** What is drawn may be lent to another open request of the same amount; so many unlucky draws never happen. */
const DRAWS_MAX = 50;

export function openPayinDesk(db: SandboxDatabase, pagesUrl: () => string): PayinDesk {
  const inLots = (write: (db: SandboxDatabase, references: readonly string[]) => Promise<readonly PayinRow[]>) =>
    openLots(async (references: readonly string[]) => {
      const rows = new Map((await write(db, sorted(references))).map((row) => [row.reference, row]));
      return references.map((reference) => rows.get(reference));
    });
  const find = inLots(findPayins);
  const confirm = inLots(confirmPayins);
  const release = inLots(releasePayins);
  const insert = openLots(async (payins: readonly NewPayin[]) => {
    const made = new Map((await insertPayins(db, payins)).map((row) => [row.reference, row]));
    return payins.map(({ reference }) => made.get(reference));
  });

  return {
    create: async (body) => {
      const requestHash = hashPayin(body);
      for (let draw = 0; draw < DRAWS_MAX; draw += 1) {
        // Not made: it is there already, or the requisite is lent to another request.
        const stored = (await insert(planPayin(body, requestHash, pagesUrl()))) ?? (await find(body.reference));
        if (stored !== undefined) return replayPayin(stored, requestHash);
      }
      throw new Error("no requisite is free");
    },
    confirm: async (reference) => showPayin(await confirm(reference)),
    release: async (reference) => showPayin(await release(reference)),
    show: async (reference) => showPayin(await find(reference)),
  };
}

/** Two sandboxes on one database lock in one order. */
function sorted(references: readonly string[]): readonly string[] {
  return references.length === 1 ? references : [...references].sort();
}

function planPayin(body: PayinRequestBody, requestHash: string, pagesUrl: string): NewPayin {
  const amount = BigInt(body.amount);
  const { method, currency, bank } = body;
  const scenario = payinScenario(amount);
  const requisites = scenario.requisites
    ? makeRequisites({ method, currency, amount, bank: bank?.symbol, pagesUrl }, randomInt)
    : undefined;
  return {
    reference: body.reference,
    project_id: body.project_id,
    request_hash: requestHash,
    method,
    currency,
    amount: body.amount,
    status: requisites === undefined ? "no_requisites" : "active",
    requisite_type: requisites?.type,
    requisite_value: requisites?.value,
    holder: requisites?.holder,
    bank: requisites?.bank,
    bank_name: requisites?.bankName,
    link_token: requisites?.linkToken,
    arrives_on: requisites === undefined ? "never" : scenario.arrivesOn,
    arrives_after_s: scenario.arrivesAfterS,
    arrives_amount: Number(amount + scenario.extraMinor),
    // PostgreSQL refuses days such as 31 February; this is the day that follows.
    expires_at: new Date(body.expires_at).toISOString(),
  };
}
