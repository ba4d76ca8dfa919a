import type { Book } from "../core/book.ts";
import type { Id } from "../core/ids.ts";
import { isOffered, type MethodOffer } from "../core/methods.ts";
import { AMOUNT_MAX, AMOUNT_MIN, ZERO } from "../core/money.ts";
import { fail, ok, type Result } from "../core/result.ts";
import { newId } from "../platform/new-id.ts";
import type { Database } from "../store/db.ts";
import { findMerchant, insertMerchant } from "../store/merchants.ts";
import { findProjectMethod, type ProjectMethod, saveProjectMethods } from "../store/project-methods.ts";
import {
  findProject,
  insertProject,
  lockProject,
  type Project,
  type ProjectSettings,
  updateProject,
} from "../store/projects.ts";

/** Opening merchants and their projects, and changing what a project may do. */

export async function createMerchant(db: Database, name: string): Promise<Id> {
  const id = newId();
  await db.transaction((tx) => insertMerchant(tx, { id, name }));
  return id;
}

export async function createProject(
  db: Database,
  order: { readonly merchantId: Id; readonly name: string; readonly book: Book },
): Promise<Result<Id, "merchant_unknown">> {
  return db.transaction(async (tx) => {
    if ((await findMerchant(tx, order.merchantId)) === undefined) return fail("merchant_unknown");
    const id = newId();
    await insertProject(tx, { id, ...order });
    return ok(id);
  });
}

export async function setProject(
  db: Database,
  id: Id,
  changes: Partial<ProjectSettings>,
): Promise<Result<Project, "project_unknown">> {
  return db.transaction(async (tx) => {
    const project = await lockProject(tx, id);
    if (project === undefined) return fail("project_unknown");
    const changed = { ...project, ...changes };
    await updateProject(tx, id, changed);
    return ok(changed);
  });
}

export type MethodChanges = Partial<Pick<ProjectMethod, "enabled" | "minAmount" | "maxAmount" | "feeBp" | "feeFixed">>;

/** What a method is like before anybody set it: off, without limits of its own, and free. */
const UNSET = { enabled: false, minAmount: AMOUNT_MIN, maxAmount: AMOUNT_MAX, feeBp: 0, feeFixed: ZERO };

export async function setProjectMethod(
  db: Database,
  projectId: Id,
  offer: MethodOffer,
  changes: MethodChanges,
): Promise<Result<ProjectMethod, "project_unknown" | "method_unknown" | "limits_crossed">> {
  if (!isOffered(offer.direction, offer.method, offer.currency)) return fail("method_unknown");
  return db.transaction(async (tx) => {
    if ((await findProject(tx, projectId)) === undefined) return fail("project_unknown");
    const present = await findProjectMethod(tx, projectId, offer);
    const changed: ProjectMethod = { ...UNSET, ...present, ...changes, ...offer, projectId };
    if (changed.minAmount > changed.maxAmount) return fail("limits_crossed");
    await saveProjectMethods(tx, [changed]);
    return ok(changed);
  });
}
