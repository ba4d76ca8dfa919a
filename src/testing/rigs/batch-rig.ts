import { openBodyFaults } from "../../api/account/payout-batches/body-faults.ts";
import type { AccountDeps } from "../../api/account/route.ts";
import type { CardDesk } from "../../app/cards/charge-card.ts";
import { loadDirectory } from "../../app/merchants/directory.ts";
import { seedBanks } from "../../app/merchants/seed-banks.ts";
import { openCreatePayments } from "../../app/payments/create-payments.ts";
import { type BatchChecked, checkBatch } from "../../app/payout-batches/check-batch.ts";
import { confirmBatch } from "../../app/payout-batches/confirm-batch.ts";
import type { MakeDeps } from "../../app/payout-batches/make-batches.ts";
import { makeSomePayouts } from "../../app/payout-batches/make-batches.ts";
import type { Connector } from "../../core/connector.ts";
import type { Id } from "../../core/ids.ts";
import { readBatchFile } from "../../core/payout-batches/batch-file.ts";
import type { Actor } from "../../core/people/actor.ts";
import type { Role } from "../../core/people/rights.ts";
import { systemClock } from "../../platform/clock.ts";
import { openLog } from "../../platform/log.ts";
import type { Database } from "../../store/db.ts";
import { saveProjectMethods } from "../../store/merchants/project-methods.ts";
import { aMember } from "../account-client.ts";
import { aProject, minor, RUB, testKeyring } from "../builders/projects.ts";

/** Batches of payouts without the service around them: a merchant with a project that pays to cards and phones in rubles. */
export type BatchRig = {
  readonly deps: MakeDeps;
  readonly aShop: () => Promise<Shop>;
  readonly aPerson: (shop: Shop, role?: Role) => Promise<PersonActor>;
  readonly check: (shop: Shop, text: string, by?: PersonActor) => Promise<BatchChecked>;
  readonly confirm: (shop: Shop, id: Id, by?: PersonActor, now?: Date) => ReturnType<typeof confirmBatch>;
  /** Makes payouts until none is left to make. */
  readonly makeAll: (change?: Partial<MakeDeps>) => Promise<void>;
  /** As if the processes that work on batches had been silent for long. */
  readonly endLeases: () => Promise<void>;
  readonly rowsOf: (id: Id) => Promise<{ readonly state: string; readonly code: string | null }[]>;
  readonly stateOf: (id: Id) => Promise<string | undefined>;
  /** Payouts of the project: how many there are. */
  readonly countPayouts: (shop: Shop) => Promise<number>;
};

export type PersonActor = Extract<Actor, { kind: "person" }>;
export type Shop = { readonly merchantId: Id; readonly projectId: Id; readonly author: PersonActor };

/** 1 %. */
export const RIG_FEE_BP = 100;

export function openBatchRig(db: Database): BatchRig {
  const keyring = testKeyring();
  const log = openLog({ level: "silent", destination: { write: () => undefined } });
  const provider = { code: "sandbox", offers: () => true } as unknown as Connector;
  const deps: MakeDeps = {
    ...{ db, keyring, log, clock: systemClock, creates: openCreatePayments(db), cardDesk: {} as CardDesk },
    providerCodes: new Set(["sandbox"]),
    findConnector: () => provider,
    currentDirectory: () => loadDirectory(db, keyring, log, undefined),
  };
  const findBodyFaults = openBodyFaults({ ...deps, mode: "production" } as unknown as AccountDeps);
  const aPerson = async ({ merchantId }: Pick<Shop, "merchantId">, role: Role = "accountant"): Promise<PersonActor> => {
    const member = await aMember(db, merchantId, role);
    return { kind: "person", id: member.personId, name: member.email, address: "192.0.2.7" };
  };
  return {
    deps,
    aPerson,
    aShop: async () => {
      await seedBanks(db);
      const made = await aProject(db, "test");
      await db.transaction((tx) =>
        saveProjectMethods(
          tx,
          (["card-p2p", "sbp-p2p"] as const).map((method) => ({
            ...{ projectId: made.projectId, direction: "payout", method, currency: RUB, enabled: true },
            ...{ minAmount: minor(100), maxAmount: minor(10_000_000), feeBp: RIG_FEE_BP, feeFixed: minor(0) },
          })),
        ),
      );
      return { ...made, author: await aPerson(made) };
    },
    check: async (shop, text, by = shop.author) => {
      const directory = await deps.currentDirectory();
      const project = directory.projects.get(shop.projectId);
      const read = readBatchFile(text);
      if (project === undefined) throw new Error("the project is missing");
      if (!read.ok) return { kind: "faults", faults: read.error };
      const origin = { source: "file", fileName: "pay.csv" } as const;
      const wish = { merchantId: shop.merchantId, actor: by, directory, project, origin, findBodyFaults };
      return checkBatch(deps, wish, read.value);
    },
    confirm: ({ merchantId, author }, id, by = author, now = new Date()) =>
      confirmBatch(
        { db, sendNotice: undefined, publicUrl: () => "https://pay.example" },
        { merchantId, actor: by, id, now },
      ),
    makeAll: async (change = {}) => {
      while (await makeSomePayouts({ ...deps, ...change }));
    },
    ...openProbes(db),
  };
}

type Probes = Pick<BatchRig, "endLeases" | "rowsOf" | "stateOf" | "countPayouts">;

function openProbes(db: Database): Probes {
  return {
    endLeases: async () => {
      await db.run({ text: "update payout_batches set lease_until = null where lease_until is not null" });
    },
    rowsOf: (id) =>
      db.run({
        text: "select state, error_code as code from payout_batch_rows where batch_id = $1 order by line",
        values: [id],
      }),
    stateOf: async (id) => {
      const [row] = await db.run<{ state: string }>({
        text: "select state from payout_batches where id = $1",
        values: [id],
      });
      return row?.state;
    },
    countPayouts: async ({ projectId }) => {
      const [row] = await db.run<{ count: number }>({
        text: "select count(*)::int as count from payments where project_id = $1 and direction = 'payout'",
        values: [projectId],
      });
      return row?.count ?? 0;
    },
  };
}

/** A file of payouts to a card, one for each amount in kopecks. */
export function cardFile(amounts: readonly number[], mark = ""): string {
  const lines = amounts.map((amount, index) => {
    const whole = Math.floor(amount / 100);
    return `card-p2p,RUB,${whole}.${String(amount % 100).padStart(2, "0")},4242424242424242,row ${index}${mark}`;
  });
  return `method,currency,amount,pan,description\n${lines.join("\n")}\n`;
}
