import { createHmac, timingSafeEqual } from "node:crypto";
import { type Fault, fault } from "../../core/errors.ts";
import type { Minor } from "../../core/money.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { newId } from "../../platform/new-id.ts";
import { callbackKeyName } from "../callbacks/callback-keys.ts";
import type { Directory, DirectoryProject } from "../merchants/directory.ts";
import { createWidgetPayin } from "../page/create-widget.ts";
import type { PageLanguage } from "../page/page-language.ts";
import { findHostedPage } from "../page/widget-page.ts";
import type { CreateDeps } from "../payments/create-payment.ts";
import { findSandboxProject } from "./seed-sandbox.ts";

/** A merchant of the sandbox, so that a developer can see the payment page and its callbacks before writing a line. */
export type DemoShop = {
  readonly buy: (order: DemoOrder) => Promise<Result<{ readonly formUrl: string; readonly orderId: string }, Fault>>;
  /** False: the signature is not ours, and nothing is kept. */
  readonly takeCallback: (callback: SignedCallback) => Promise<boolean>;
  readonly listCallbacks: () => readonly HeardCallback[];
};

type DemoOrder = { readonly amount: Minor; readonly currency: string; readonly language: PageLanguage };

type SignedCallback = {
  readonly id: string;
  readonly timestamp: string;
  readonly signatures: string;
  readonly rawBody: Buffer;
};

type HeardCallback = { readonly orderId: string; readonly status: string; readonly heardAt: string };

type Deps = CreateDeps & {
  readonly publicUrl: () => string;
  readonly currentDirectory: () => Directory | Promise<Directory>;
};

/** Only to be looked at: older ones are forgotten. */
const CALLBACKS_KEPT = 50;
export const SHOP_PATH = "/sandbox/shop";

export function openDemoShop(deps: Deps): DemoShop {
  const heard: HeardCallback[] = [];
  const findProject = async (directory: Directory) => {
    const id = await findSandboxProject(deps.db);
    return id === undefined ? undefined : directory.projects.get(id);
  };
  return {
    buy: async (order) => {
      const directory = await deps.currentDirectory();
      const project = await findProject(directory);
      if (project === undefined) return fail(fault("project_inactive", "there is no sandbox project"));
      return buy(deps, directory, project, order);
    },
    takeCallback: async (callback) => {
      const directory = await deps.currentDirectory();
      const project = await findProject(directory);
      if (project === undefined || !isGenuine(directory, project, callback)) return false;
      heard.unshift(readCallback(callback.rawBody, new Date(deps.clock.nowMs())));
      heard.splice(CALLBACKS_KEPT);
      return true;
    },
    listCallbacks: () => heard,
  };
}

async function buy(deps: Deps, directory: Directory, project: DirectoryProject, order: DemoOrder) {
  const orderId = `demo-${newId().slice(-8)}`;
  const shopUrl = `${deps.publicUrl()}${SHOP_PATH}`;
  const customer = { id: "demo-customer", language: order.language };
  const created = await createWidgetPayin(deps, directory, project, {
    direction: "payin",
    paymentId: orderId,
    bodyHash: deps.keyring.lookupHash("payments.body", orderId),
    currency: order.currency,
    amount: order.amount,
    customerId: customer.id,
    country: undefined,
    lifetimeS: undefined,
    preselected: undefined,
    request: { callbackUrl: `${shopUrl}/callback`, redirectUrl: shopUrl, description: "A very good teapot", customer },
  });
  if (!created.ok) return created;
  const { projectId, requestId } = created.value.payment as Parameters<typeof findHostedPage>[1];
  const formUrl = await findHostedPage(deps, { projectId, requestId, product: "widget" });
  return formUrl === undefined ? fail(fault("internal_error", "the page was not made")) : ok({ formUrl, orderId });
}

/** As any merchant would verify it: by the secret of Standard Webhooks. */
function isGenuine(directory: Directory, project: DirectoryProject, callback: SignedCallback): boolean {
  const keys = directory.callbackKeys.get(callbackKeyName("webhook", project.id)) ?? [];
  return keys.some(({ key }) => {
    const made = createHmac("sha256", key).update(`${callback.id}.${callback.timestamp}.`).update(callback.rawBody);
    const wanted = Buffer.from(`v1,${made.digest("base64")}`);
    return callback.signatures.split(" ").some((signature) => {
      const given = Buffer.from(signature);
      return given.length === wanted.length && timingSafeEqual(given, wanted);
    });
  });
}

function readCallback(rawBody: Buffer, now: Date): HeardCallback {
  const { general, status } = JSON.parse(rawBody.toString("utf8"));
  const detail = status.decline_code ?? status.sub_status;
  return {
    orderId: String(general.payment_id),
    status: detail === null ? String(status.status) : `${status.status} / ${detail}`,
    heardAt: now.toISOString(),
  };
}
