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
const TESTER_CALLS: readonly PaymentCall[] = [
  p2pPayin,
  p2pPayinConfirm,
  p2pPayinCancel,
  p2pPayout,
  ecomPayin,
  widgetPayin,
  widgetConfirm,
  widgetCancel,
];

/** What the merchant's server would have been answered: the status, and the body. */
export type TesterAnswer = { readonly status: number; readonly answer: unknown };

export type AnswerTester = (
  projectId: Id,
  wanted: { readonly path: string; readonly body: JsonObject },
) => Promise<TesterAnswer>;

/**
 * The merchant API without its signature, for a tester whom a door has let in to a test project. The rules and the use cases are
 * those of signed calls.
 */
export function openTesterCalls(deps: MerchantDeps): AnswerTester {
  const calls = new Map(TESTER_CALLS.map((call) => [call.path, { call, validate: validatorOf(deps, call) }]));
  return async (projectId, { path, body }) => {
    const open = calls.get(path);
    if (open === undefined) return shown(fail(fault("not_found", "the desk does not make this call")));
    const directory = await deps.directory.current();
    const project = directory.projects.get(projectId);
    // A door names only test projects; one that is gone meanwhile has none to act for.
    if (project?.book !== "test") return shown(fail(fault("project_forbidden", "the project is not a test project")));
    const general = isObject(body.general) ? body.general : {};
    const whole = { ...body, general: { ...general, project_id: projectId } };
    const faults = open.validate(whole);
    if (faults.length > 0) return shown(fail(validationFault(faults)));
    return shown(await open.call.answer(deps, { project, directory, body: whole }));
  };
}

function validatorOf(deps: MerchantDeps, { body, rules }: PaymentCall): Validate {
  const bySchema = compileValidator(body);
  return rules === undefined ? bySchema : withRules(bySchema, rules(deps));
}

function shown(result: Result<{ readonly json: string }, Fault>): TesterAnswer {
  return result.ok
    ? { status: 200, answer: JSON.parse(result.value.json) }
    : { status: HTTP_STATUS[result.error.code], answer: JSON.parse(errorBody(result.error)) };
}
