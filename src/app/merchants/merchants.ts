import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import { isOffered, type MethodOffer } from "../../core/merchants/methods.ts";
import { AMOUNT_MAX, AMOUNT_MIN, ZERO } from "../../core/money.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { newId } from "../../platform/new-id.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { listBanks } from "../../store/merchants/banks.ts";
import { findMerchant, insertMerchant } from "../../store/merchants/merchants.ts";
import type { ProjectLimits } from "../../store/merchants/project-limits.ts";
import { findProjectMethod, type ProjectMethod, saveProjectMethods } from "../../store/merchants/project-methods.ts";
import type { ProjectRoute } from "../../store/merchants/project-routes.ts";
import {
  insertProject,
  type Logo,
  lockProject,
  type Project,
  type ProjectSettings,
  saveLogo,
  updateProject,
} from "../../store/merchants/projects.ts";
import { readProviderCatalog } from "../providers/provider-catalog.ts";
import {
  findConditionFault,
  findRouteFault,
  type LimitChange,
  type RouteChange,
  type RouteFault,
  saveLimits,
  saveRoutes,
} from "./project-rules.ts";

/** Opening merchants and their projects, and changing what a project may do. */

export async function createMerchant(db: Database, name: string): Promise<Id> {
  const id = newId();
  await db.transaction((tx) => insertMerchant(tx, { id, name }));
  return id;
}

export async function createProject(
  db: Database,
  wanted: { readonly merchantId: Id; readonly name: string; readonly book: Book },
): Promise<Result<Id, "merchant_unknown">> {
  return db.transaction(async (tx) => {
    if ((await findMerchant(tx, wanted.merchantId)) === undefined) return fail("merchant_unknown");
    const id = newId();
    await insertProject(tx, { id, ...wanted });
    return ok(id);
  });
}

export type MethodChanges = Partial<Pick<ProjectMethod, "enabled" | "minAmount" | "maxAmount" | "feeBp" | "feeFixed">>;

/** What is to change: settings, and what is to be true of each of the offers. What is not named stays as it is. */
export type ProjectChanges = {
  readonly settings?: Partial<ProjectSettings>;
  readonly offers?: readonly MethodOffer[];
  readonly methods?: MethodChanges;
  readonly limits?: LimitChange;
  readonly routes?: readonly RouteChange[];
  readonly logo?: Logo | "none";
};

/** The project, and of the rest what was changed. */
export type ConfiguredProject = {
  readonly project: Project;
  readonly methods: readonly ProjectMethod[];
  readonly limits: readonly ProjectLimits[];
  readonly routes: readonly ProjectRoute[];
};

export type ConfigureFault =
  | { readonly kind: "project_unknown" }
  | RouteFault
  | { readonly kind: "not_offered" | "limits_crossed"; readonly offer: MethodOffer };

/** Changes a project, all of it or nothing. The project is locked, so that two changes come one after the other. */
export async function configureProject(
  db: Database,
  id: Id,
  changes: ProjectChanges,
): Promise<Result<ConfiguredProject, ConfigureFault>> {
  return db.transaction(async (tx) => {
    const present = await lockProject(tx, id);
    if (present === undefined) return fail({ kind: "project_unknown" });
    const methods: ProjectMethod[] = [];
    for (const offer of changes.offers ?? []) {
      const method = await changedMethod(tx, id, offer, changes.methods ?? {});
      if (!isOffered(offer.direction, offer.method, offer.currency)) return fail({ kind: "not_offered", offer });
      if (method.minAmount > method.maxAmount) return fail({ kind: "limits_crossed", offer });
      methods.push(method);
    }
    const fault = await findFaultOfRoutes(tx, present.book, changes.routes ?? []);
    if (fault !== undefined) return fail(fault);
    const project = { ...present, ...changes.settings };
    await updateProject(tx, id, project);
    if (changes.logo !== undefined) await saveLogo(tx, id, changes.logo === "none" ? undefined : changes.logo);
    await saveProjectMethods(tx, methods);
    const limits = await saveLimits(tx, id, changes.limits);
    const routes = await saveRoutes(tx, id, changes.routes ?? []);
    return ok({ project, methods, limits, routes });
  });
}

async function findFaultOfRoutes(
  tx: Transaction,
  book: Book,
  routes: readonly RouteChange[],
): Promise<RouteFault | undefined> {
  const fault = findRouteFault(await readProviderCatalog(tx), book, routes);
  if (fault !== undefined || routes.every(({ entries }) => entries === undefined)) return fault;
  const symbols = new Set((await listBanks(tx)).map(({ symbol }) => symbol));
  return findConditionFault(routes, (symbol) => symbols.has(symbol));
}

/** A method's default settings: off, without limits of its own, and free. */
const UNSET = { enabled: false, minAmount: AMOUNT_MIN, maxAmount: AMOUNT_MAX, feeBp: 0, feeFixed: ZERO };

async function changedMethod(
  tx: Transaction,
  projectId: Id,
  offer: MethodOffer,
  changes: MethodChanges,
): Promise<ProjectMethod> {
  const present = await findProjectMethod(tx, projectId, offer);
  return { ...UNSET, ...present, ...changes, ...offer, projectId };
}
