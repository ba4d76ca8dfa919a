import type { Id } from "../../core/ids.ts";
import type { SupportContact } from "../../core/page/support-contact.ts";
import { type AccountFault, accountFault } from "../../core/people/account-fault.ts";
import type { Actor } from "../../core/people/actor.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Database } from "../../store/db.ts";
import {
  findLogo,
  findProject,
  type Logo,
  lockProject,
  type Project,
  saveLogo,
} from "../../store/merchants/projects.ts";
import { changeProject, NO_PROJECT, type ProjectChange, subjectOf } from "../merchants/change-project.ts";
import { audit } from "../people/audit.ts";

/** How a project's payment page looks and who may show it in a frame, as the merchant's own people see and change it. */
export type PageSettings = {
  readonly project: Pick<Project, "id" | "name" | "book" | "accent" | "widgetOrigins" | "payerAttempts"> &
    SupportContact;
  readonly logo: Logo | undefined;
};

/** The project of one merchant. Another merchant's is not told from one that does not exist. */
type ProjectOfMerchant = { readonly merchantId: Id; readonly projectId: Id };

type PageChange = ProjectOfMerchant & { readonly actor: Actor };

export function viewPageSettings(
  db: Database,
  { merchantId, projectId }: ProjectOfMerchant,
): Promise<Result<PageSettings, AccountFault>> {
  return db.transaction(async (tx) => {
    const project = await findProject(tx, projectId);
    return project?.merchantId === merchantId
      ? ok({ project, logo: await findLogo(tx, project.id) })
      : fail(NO_PROJECT);
  }, "snapshot");
}

export type Look = Partial<Pick<Project, "name" | "accent">>;

export function changeLook(db: Database, change: PageChange, look: Look): Promise<Result<PageSettings, AccountFault>> {
  return changed(db, { ...change, action: "settings.look", settings: look });
}

export function changeSupport(
  db: Database,
  change: PageChange,
  support: Partial<SupportContact>,
): Promise<Result<PageSettings, AccountFault>> {
  return changed(db, { ...change, action: "settings.support", settings: support });
}

/** How often a payer may choose how to pay within one payment. */
export function changeAttempts(
  db: Database,
  change: PageChange,
  payerAttempts: number,
): Promise<Result<PageSettings, AccountFault>> {
  return changed(db, { ...change, action: "settings.attempts", settings: { payerAttempts } });
}

/** More would not fit into the header that tells browsers of them. */
const ORIGINS_MAX = 50;

/** One origin at a time, so that two people who change the list at once both have what they wanted. */
export function changeOrigin(
  db: Database,
  change: PageChange,
  { origin, allowed }: { readonly origin: string; readonly allowed: boolean },
): Promise<Result<PageSettings, AccountFault>> {
  const settings = ({ widgetOrigins }: Project): Result<Pick<Project, "widgetOrigins">, AccountFault> => {
    const others = widgetOrigins.filter((each) => each !== origin);
    if (!allowed) return ok({ widgetOrigins: others });
    if (others.length < widgetOrigins.length) return ok({ widgetOrigins });
    return widgetOrigins.length < ORIGINS_MAX
      ? ok({ widgetOrigins: [...widgetOrigins, origin] })
      : fail(accountFault("validation_failed", `a project may have at most ${ORIGINS_MAX} origins`));
  };
  return changed(db, { ...change, action: "settings.origins", settings });
}

async function changed(db: Database, change: ProjectChange): Promise<Result<PageSettings, AccountFault>> {
  const done = await changeProject(db, change);
  return done.ok ? viewPageSettings(db, change) : done;
}

const HIDDEN = "[hidden]";

/** The picture itself is not written into the audit log, only that there is one and how large it is. */
export async function changeLogo(
  db: Database,
  { merchantId, projectId, actor }: PageChange,
  logo: Logo | undefined,
): Promise<Result<PageSettings, AccountFault>> {
  const done = await db.transaction(async (tx) => {
    const project = await lockProject(tx, projectId);
    if (project?.merchantId !== merchantId) return fail(NO_PROJECT);
    if (logo === undefined && project.logoType === null) return ok(null);
    await saveLogo(tx, projectId, logo);
    const before = { logo: project.logoType === null ? null : HIDDEN };
    const after = { logo: logo === undefined ? null : `${logo.type}, ${logo.bytes.length} bytes` };
    await audit(tx, { merchantId, actor, action: "settings.logo", subject: subjectOf(project), before, after });
    return ok(null);
  });
  return done.ok ? viewPageSettings(db, { merchantId, projectId }) : done;
}
