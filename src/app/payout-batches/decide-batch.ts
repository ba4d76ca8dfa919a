import type { Id } from "../../core/ids.ts";
import { type BatchEvent, type BatchState, batchAfter } from "../../core/payout-batches/batch-states.ts";
import { type AccountFault, accountFault } from "../../core/people/account-fault.ts";
import { hasRight, type Role } from "../../core/people/rights.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Database, Transaction } from "../../store/db.ts";
import {
  lockBatch,
  type PayoutBatch,
  saveApproved,
  saveRefused,
  saveWithdrawn,
} from "../../store/payout-batches/batches.ts";
import { lockTeam } from "../../store/people/memberships.ts";
import { audit } from "../people/audit.ts";
import type { BatchActor } from "./batch-deps.ts";
import { NO_BATCH } from "./batch-scope.ts";

export type DecideWish = BatchActor & { readonly id: Id; readonly now: Date };

type Decided = Promise<Result<{ readonly state: BatchState }, AccountFault>>;
type Team = readonly { readonly personId: Id; readonly role: Role }[];

const OWN = accountFault("forbidden", "another person decides about a batch than the one who prepared it");
const AUTHOR_LEFT = accountFault("wrong_state", "its author may not make payouts any more: refuse it");
const NOT_AUTHOR = accountFault("forbidden", "a batch is withdrawn by the person who prepared it");

/** A second person says yes. What is paid then is what was checked: rows do not change. */
export function approveBatch(db: Database, wish: DecideWish): Decided {
  const { actor, now } = wish;
  return decide(db, wish, "approved", {
    findFault: (batch, team) => {
      if (batch.author === actor.id) return OWN;
      return mayMake(team, batch.author) ? undefined : AUTHOR_LEFT;
    },
    save: (tx, batch, state) => saveApproved(tx, batch, { state, by: actor.id, now }),
  });
}

export function refuseBatch(db: Database, wish: DecideWish, reason: string): Decided {
  const { actor, now } = wish;
  return decide(db, wish, "refused", {
    findFault: (batch) => (batch.author === actor.id ? OWN : undefined),
    save: (tx, batch, state) => saveRefused(tx, batch, { state, by: actor.id, now, reason }),
    after: { reason },
  });
}

/** Its author takes it back, before it is paid. */
export function withdrawBatch(db: Database, wish: DecideWish): Decided {
  const { actor, now } = wish;
  return decide(db, wish, "withdrawn", {
    findFault: (batch) => (batch.author === actor.id ? undefined : NOT_AUTHOR),
    save: (tx, batch, state) => saveWithdrawn(tx, batch, { state, now }),
  });
}

const ACTIONS = {
  approved: "payout_batch.approve",
  refused: "payout_batch.refuse",
  withdrawn: "payout_batch.withdraw",
} as const satisfies Partial<Record<BatchEvent, string>>;

type Deciding = {
  readonly findFault: (batch: PayoutBatch, team: Team) => AccountFault | undefined;
  readonly save: (tx: Transaction, batch: PayoutBatch, state: BatchState) => Promise<void>;
  readonly after?: object;
};

/** The team is locked, so that no role is taken away in the middle of it. */
function decide(db: Database, wish: DecideWish, event: keyof typeof ACTIONS, deciding: Deciding): Decided {
  const { merchantId, actor, id } = wish;
  return db.transaction(async (tx) => {
    const team = await lockTeam(tx, merchantId);
    const batch = await lockBatch(tx, merchantId, id);
    if (batch === undefined) return fail(NO_BATCH);
    const state = batchAfter(batch.state, event);
    if (state === undefined) return fail(accountFault("wrong_state", `a batch that is ${batch.state} is not ${event}`));
    const refused = deciding.findFault(batch, team);
    if (refused !== undefined) return fail(refused);
    await deciding.save(tx, batch, state);
    const after = { state, ...deciding.after };
    await audit(tx, { merchantId, actor, action: ACTIONS[event], subject: id, before: { state: batch.state }, after });
    return ok({ state });
  });
}

/** Whether a person is still in the team, with the right to make payouts. */
function mayMake(team: Team, personId: Id): boolean {
  return team.some((member) => member.personId === personId && hasRight(member.role, "payouts.make"));
}
