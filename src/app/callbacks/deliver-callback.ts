import { payerAttempts } from "../../core/page/payer-attempts.ts";
import { shownRequisites } from "../../core/payments/view.ts";
import type { EgressAnswer } from "../../platform/http-out/answer.ts";
import type { Egress } from "../../platform/http-out/egress.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { ClaimedCallback } from "../../store/callbacks/callback-queue.ts";
import type { Directory } from "../merchants/directory.ts";
import { formUrlOf } from "../page/page-secrets.ts";
import { integrationOf } from "../page/payer-step.ts";
import { withBankName } from "../payments/payment-answers.ts";
import { unsealRequisites } from "../payments/payment-secrets.ts";
import type { SignCallback } from "./callback-signer.ts";

export type DeliverDeps = {
  readonly keyring: Keyring;
  readonly egress: Egress;
  readonly sign: SignCallback;
  readonly currentDirectory: () => Directory | Promise<Directory>;
  readonly publicUrl: () => string;
};

/** Undefined where the project cannot be read now: then nothing was sent. */
export async function sendCallback(deps: DeliverDeps, callback: ClaimedCallback): Promise<EgressAnswer | undefined> {
  const directory = await deps.currentDirectory();
  const project = directory.projects.get(callback.projectId);
  if (project === undefined) return undefined;
  const body = bodyOf(deps, directory, callback);
  const text = JSON.stringify(body);
  const headers = await deps.sign(project, { eventId: callback.id, text, body });
  return deps.egress.send({ method: "POST", url: callback.url, owner: project.id, headers, body: text });
}

/** The row as it was written, its requisites where they were out by then, and where the payer goes on. */
function bodyOf(deps: DeliverDeps, directory: Directory, callback: ClaimedCallback): object {
  const { event, ...told } = callback.body;
  const { paymentState: state, requestedAmount, currency } = callback;
  const sealed = tellsRequisites(callback) ? callback.requisites : null;
  const requisites = sealed && withBankName(unsealRequisites(deps.keyring, callback.requestId, sealed), directory);
  const integration = findIntegration(deps, callback);
  return {
    ...told,
    // A callback that comes late shows no more than the payment itself does by now.
    ...(requisites === null ? {} : { requisites: shownRequisites({ state, requestedAmount, currency }, requisites) }),
    ...(integration === undefined ? {} : { integration }),
    ...(tellsEnd(callback) && callback.choices !== null
      ? { attempts: payerAttempts(callback.paymentState, callback.choices) }
      : {}),
    event,
  };
}

/** A hosted page takes its payer to the issuer by itself, so its address is all that the merchant needs. */
function findIntegration({ keyring, publicUrl }: DeliverDeps, callback: ClaimedCallback): object | undefined {
  const { challenge, pageToken, requestId, hostedPageToken: token } = callback;
  if (token !== null) return { form_url: formUrlOf(keyring, publicUrl(), { requestId, token }) };
  if (pageToken === null || !tellsStep(callback)) return undefined;
  return integrationOf(keyring, publicUrl(), callback.paymentState, { requestId, challenge, pageToken });
}

const BEFORE_REQUISITES: ReadonlySet<unknown> = new Set(["new", "requisites"]);

function tellsRequisites(callback: ClaimedCallback): boolean {
  return !BEFORE_REQUISITES.has(subStatusOf(callback));
}

const AT_THE_ISSUER: ReadonlySet<unknown> = new Set(["awaiting_3ds_result", "awaiting_redirect_result"]);

function tellsStep(callback: ClaimedCallback): boolean {
  return AT_THE_ISSUER.has(subStatusOf(callback));
}

/** A payment that is over never changes, nor do its payer's choices: a callback that is sent again says the same of them. */
function tellsEnd(callback: ClaimedCallback): boolean {
  return subStatusOf(callback) === null;
}

function subStatusOf({ body }: ClaimedCallback): unknown {
  return (body.status as { readonly sub_status?: unknown } | undefined)?.sub_status;
}
