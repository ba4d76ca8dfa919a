import type { Id } from "../../core/ids.ts";
import { type AccountFault, accountFault } from "../../core/people/account-fault.ts";
import type { Actor } from "../../core/people/actor.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { findLogo, findProject, type Logo, lockProject, type Project } from "../../store/merchants/projects.ts";
import { configureProjectIn, type ProjectChanges } from "../merchants/merchants.ts";
import { audit } from "../people/audit.ts";

/** How a project's payment page looks and who may show it in a frame, as the merchant's own people see and change it. */
export type PageSettings = {
  readonly project: Pick<Project, "id" | "name" | "book" | "accent" | "widgetOrigins">;
  readonly logo: Logo | undefined;
};

/** The project of one merchant. Another merchant's is not told from one that does not exist. */
export type ProjectOfMerchant = { readonly merchantId: Id; readonly projectId: Id };

export type PageChange = ProjectOfMerchant & { readonly actor: Actor };

const NO_PROJECT = accountFault("not_found", "there is no such project");

export function viewPageSettings(
  db: Database,
  { merchantId, projectId }: ProjectOfMerchant,
): Promise<Result<PageSettings, AccountFault>> {
  return db.transaction(async (tx) => {
    const project = await findProject(tx, projectId);
    return project?.merchantId === merchantId ? ok(await settingsOf(tx, project)) : fail(NO_PROJECT);
  }, "snapshot");
}

export type Look = Partial<Pick<Project, "name" | "accent">>;

export function changeLook(db: Database, change: PageChange, look: Look): Promise<Result<PageSettings, AccountFault>> {
  return changePage(db, change, ({ name, accent }) => {
    const after = { name: look.name ?? name, accent: look.accent === undefined ? accent : look.accent };
    if (after.name === name && after.accent === accent) return undefined;
    return { changes: { settings: after }, action: "settings.look", before: { name, accent }, after };
  });
}

/** The picture itself is not written into the audit log, only that there is one. */
export function changeLogo(
  db: Database,
  change: PageChange,
  logo: Logo | undefined,
): Promise<Result<PageSettings, AccountFault>> {
  return changePage(db, change, ({ logoType }) => {
    if (logo === undefined && logoType === null) return undefined;
    const before = { logo: logoType === null ? null : HIDDEN };
    // A new picture of the same kind must differ from what was hidden, or the line would show no change.
    const after = { logo: logo === undefined ? null : `${logo.type}, ${logo.bytes.length} bytes` };
    return { changes: { logo: logo ?? "none" }, action: "settings.logo", before, after };
  });
}

const HIDDEN = "[hidden]";

/** More would not fit into the header that tells browsers of them. */
const ORIGINS_MAX = 50;

/** One origin at a time, so that two people who change the list at once both have what they wanted. */
export function changeOrigin(
  db: Database,
  change: PageChange,
  { origin, allowed }: { readonly origin: string; readonly allowed: boolean },
): Promise<Result<PageSettings, AccountFault>> {
  return changePage(db, change, ({ widgetOrigins }) => {
    if (widgetOrigins.includes(origin) === allowed) return undefined;
    if (allowed && widgetOrigins.length >= ORIGINS_MAX)
      return accountFault("validation_failed", `a project may have at most ${ORIGINS_MAX} origins`);
    const after = allowed ? [...widgetOrigins, origin] : widgetOrigins.filter((each) => each !== origin);
    return {
      changes: { settings: { widgetOrigins: after } },
      action: "settings.origins",
      before: { origins: widgetOrigins },
      after: { origins: after },
    };
  });
}

type Planned = {
  readonly changes: ProjectChanges;
  readonly action: string;
  readonly before: object;
  readonly after: object;
};

/** What is already so changes nothing and is no line of the audit log. */
function changePage(
  db: Database,
  { merchantId, projectId, actor }: PageChange,
  plan: (project: Project) => Planned | AccountFault | undefined,
): Promise<Result<PageSettings, AccountFault>> {
  return db.transaction(async (tx) => {
    const present = await lockProject(tx, projectId);
    if (present?.merchantId !== merchantId) return fail(NO_PROJECT);
    const planned = plan(present);
    if (planned === undefined) return ok(await settingsOf(tx, present));
    if ("code" in planned) return fail(planned);
    const { changes, action, before, after } = planned;
    const configured = await configureProjectIn(tx, projectId, changes);
    if (!configured.ok) throw new Error(`the look of a project was refused: ${configured.error.kind}`);
    await audit(tx, { merchantId, actor, action, subject: projectId, before, after });
    return ok(await settingsOf(tx, configured.value.project));
  });
}

async function settingsOf(tx: Transaction, project: Project): Promise<PageSettings> {
  return { project, logo: await findLogo(tx, project.id) };
}
