import { type Fault, fault, validationFault } from "../../core/errors.ts";
import type { Id } from "../../core/ids.ts";
import { fail, type Result } from "../../core/result.ts";
import { isObject, type JsonObject } from "../../platform/strict-json.ts";
import { errorBody, HTTP_STATUS } from "../errors.ts";
import type { MerchantDeps, PaymentCall } from "../merchant/call.ts";
import { ecomPayin } from "../merchant/ecom.ts";
import { p2pPayin, p2pPayinCancel, p2pPayinConfirm, p2pPayout } from "../merchant/p2p.ts";
import { compileValidator, type Validate, withRules } from "../merchant/validate.ts";
import { widgetCancel, widgetConfirm, widgetPayin } from "../merchant/widget.ts";

/** What the desk does in the place of the merchant's own server: make a payment, and say what its payer says. */
const TESTER_CALLS: ReadonlyMap<string, PaymentCall> = new Map(
  [p2pPayin, p2pPayinConfirm, p2pPayinCancel, p2pPayout, ecomPayin, widgetPayin, widgetConfirm, widgetCancel].map(
    (call) => [call.path, call],
  ),
);

/** Compiled when a tester first needs them: most processes never do. */
const validators = new Map<string, Validate>();

/** What the merchant's server would have been answered: the HTTP status, and the body. */
export type TesterAnswer = { readonly status: number; readonly answer: unknown };

/**
 * A call of the merchant API without its signature, for a tester whom a door has let in to a test project. Its rules and its use
 * case are those of the signed call (decision 0069).
 */
export async function callAsMerchant(
  deps: MerchantDeps,
  projectId: Id,
  { path, body }: { readonly path: string; readonly body: JsonObject },
): Promise<TesterAnswer> {
  const call = TESTER_CALLS.get(path);
  if (call === undefined) return shown(fail(fault("not_found", "the desk does not make this call")));
  const directory = await deps.directory.current();
  const project = directory.projects.get(projectId);
  // The door has looked already; this holds whatever a door of later days does.
  if (project?.book !== "test") return shown(fail(fault("project_forbidden", "this is not a test project")));
  const whole = { ...body, general: { ...(isObject(body.general) ? body.general : {}), project_id: projectId } };
  const faults = validatorOf(deps, call)(whole);
  if (faults.length > 0) return shown(fail(validationFault(faults)));
  return shown(await call.answer(deps, { project, directory, body: whole }));
}

function validatorOf(deps: MerchantDeps, { path, body, rules }: PaymentCall): Validate {
  const bySchema = validators.get(path) ?? compileValidator(body);
  validators.set(path, bySchema);
  return rules === undefined ? bySchema : withRules(bySchema, rules(deps));
}

function shown(result: Result<{ readonly json: string }, Fault>): TesterAnswer {
  return result.ok
    ? { status: 200, answer: JSON.parse(result.value.json) }
    : { status: HTTP_STATUS[result.error.code], answer: JSON.parse(errorBody(result.error)) };
}
