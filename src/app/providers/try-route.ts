import { BIN_DIGITS_MAX, findIssuer, type IssuerFacts } from "../../core/cards/card-bins.ts";
import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Direction, Method } from "../../core/merchants/methods.ts";
import { type JudgedEntry, judgeRoute, type RouteFacts } from "../../core/merchants/routing.ts";
import type { Minor } from "../../core/money.ts";
import { kindOf } from "../../core/payments/kinds.ts";
import type { ProviderCatalog } from "../../core/providers.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { findLastBinImport, listBinsOf } from "../../store/merchants/card-bins.ts";
import { listPauses } from "../../store/merchants/pauses.ts";
import { findProjectMethod } from "../../store/merchants/project-methods.ts";
import { listProjectRoutes } from "../../store/merchants/project-routes.ts";
import { findProject } from "../../store/merchants/projects.ts";
import { listProviderHealth, type StoredHealth } from "../../store/providers/provider-health.ts";
import { directoryRoute } from "../merchants/directory.ts";
import { readProviderCatalog } from "./provider-catalog.ts";

/** A payment that is not made. */
export type RouteQuestion = {
  readonly projectId: Id;
  readonly direction: Direction;
  readonly method: Method;
  readonly currency: Currency;
  readonly amount: Minor;
  /** The first six to eight digits of the card. */
  readonly bin: string | undefined;
  readonly bank: string | undefined;
  readonly paymentId: string | undefined;
};

export type RouteTrial = {
  /** In the order in which they would be asked. */
  readonly entries: readonly JudgedEntry[];
  readonly choice:
    | { readonly kind: "provider"; readonly provider: string }
    /** Which of them depends on the payment's id. */
    | { readonly kind: "shared"; readonly providers: readonly string[] }
    /** Until the first of them is free. */
    | { readonly kind: "waits" }
    | { readonly kind: "refused" };
  /** What else would keep such a payment from being made, or what was not known. */
  readonly notes: readonly string[];
};

/** Which provider such a payment would take, and why. Nothing is made. */
export function tryRoute(db: Database, question: RouteQuestion): Promise<Result<RouteTrial, "project_unknown">> {
  return db.transaction(async (tx) => {
    const project = await findProject(tx, question.projectId);
    if (project === undefined) return fail("project_unknown");
    const catalog = await readProviderCatalog(tx);
    const routes = (await listProjectRoutes(tx, [question.projectId])).map(directoryRoute);
    const issuer = await readIssuer(tx, question);
    const findObstacle = obstacles(catalog, question, await readPausedProviders(tx), await listProviderHealth(tx));
    const entries = judgeRoute(catalog, { book: project.book, routes }, factsOf(question, issuer), findObstacle);
    const notes = [
      ...(await notesOfMethod(tx, question)),
      ...(project.status === "paused" ? ["The project is paused: it takes no new payments."] : []),
      ...(await notesOfCard(tx, question, issuer)),
    ];
    return ok({ entries, choice: choiceOf(entries, question), notes });
  }, "snapshot");
}

async function readIssuer(tx: Transaction, { bin }: RouteQuestion): Promise<IssuerFacts | undefined> {
  if (bin === undefined) return undefined;
  const digits = bin.slice(0, BIN_DIGITS_MAX);
  const bins = await listBinsOf(tx, digits);
  return findIssuer(new Map(bins.map(({ prefix, country, bank }) => [prefix, { country, bank }])), digits);
}

async function readPausedProviders(tx: Transaction): Promise<ReadonlySet<string>> {
  const pauses = await listPauses(tx);
  return new Set(pauses.filter(({ kind }) => kind === "provider").map(({ name }) => name));
}

const PAUSED = "it is paused";
const BROKEN = "its breaker is open";

function obstacles(
  catalog: ProviderCatalog,
  { direction, method }: RouteQuestion,
  paused: ReadonlySet<string>,
  health: readonly StoredHealth[],
): (provider: string) => string | undefined {
  return (provider) => {
    const row = catalog.get(provider);
    if (row === undefined) return "there is no such provider";
    if (!row.serves(direction, method)) return "it does not serve this";
    if (paused.has(provider)) return PAUSED;
    const seen = health.filter((each) => each.provider === provider);
    const openCount = seen.filter(({ state }) => state === "open").length;
    return openCount === 0 ? undefined : `${BROKEN} in ${openCount} of ${seen.length} processes`;
  };
}

function factsOf(question: RouteQuestion, issuer: IssuerFacts | undefined): RouteFacts {
  const { direction, method, currency, amount, paymentId, bank } = question;
  const origin = { country: issuer?.country ?? null, bank: bank ?? issuer?.bank ?? null };
  return { direction, method, currency, amount, named: undefined, key: paymentId, origin: () => origin };
}

function choiceOf(entries: readonly JudgedEntry[], question: RouteQuestion): RouteTrial["choice"] {
  const first = entries.find(({ passed }) => passed === undefined);
  if (first === undefined) {
    const canWait = kindOf(question) !== "card";
    const isWaitedFor = entries.some(({ passed }) => passed === PAUSED || passed?.startsWith(BROKEN));
    return { kind: canWait && isWaitedFor ? "waits" : "refused" };
  }
  if (first.sharedWeight === undefined || question.paymentId !== undefined) {
    return { kind: "provider", provider: first.entry.provider };
  }
  const sharing = entries.filter(({ entry, passed }) => passed === undefined && entry.rank === first.entry.rank);
  return { kind: "shared", providers: sharing.map(({ entry }) => entry.provider) };
}

async function notesOfMethod(tx: Transaction, question: RouteQuestion): Promise<string[]> {
  const { projectId, direction, method, currency, amount } = question;
  const terms = await findProjectMethod(tx, projectId, { direction, method, currency });
  const name = `${direction}:${method}:${currency}`;
  if (terms === undefined || !terms.enabled) return [`${name} is not enabled: the project refuses such a payment.`];
  const isOutside = amount < terms.minAmount || amount > terms.maxAmount;
  return isOutside
    ? [`The amount is outside the limits of ${name}: from ${terms.minAmount} to ${terms.maxAmount}.`]
    : [];
}

async function notesOfCard(
  tx: Transaction,
  { bin }: RouteQuestion,
  issuer: IssuerFacts | undefined,
): Promise<string[]> {
  if ((await findLastBinImport(tx)) === undefined) {
    return ["No list of BINs was imported: no condition on a card's country or bank holds. See bin import."];
  }
  if (bin === undefined) return [];
  if (issuer === undefined)
    return ["The list of BINs does not know this one: no condition on its country or bank holds."];
  const bank = issuer.bank === null ? "no bank that we know" : issuer.bank;
  return [`The card was issued in ${issuer.country} by ${bank}.`];
}
