import { TEST_PROJECTS_ONLY } from "../../app/sandbox/desk/desk-clock.ts";
import { type ErrorCode, type Fault, validationFault } from "../../core/errors.ts";
import { type AccountErrorCode, type AccountFault, accountFault } from "../../core/people/account-fault.ts";
import { fail, ok } from "../../core/result.ts";
import { PAGE_CALLS, type PageCall } from "../sandbox/page-calls.ts";
import { NO_PROJECT, scopeOf } from "./report-query.ts";
import { type AccountDeps, type AccountResult, idOf, type MemberCall, post } from "./route.ts";

/** The tester's desk for a merchant's people: the same calls as the signed ones, for the merchant's own test projects. */
export const SANDBOX_ROUTES = PAGE_CALLS.map((call) =>
  post({
    path: `sandbox/${call.name}`,
    right: "sandbox.use",
    stepUp: false,
    body: call.body,
    handler: (deps, member) => answer(deps, member as MemberCall<DeskBody>, call),
  }),
);

type DeskBody = { readonly general: { readonly project_id: string } };

async function answer(
  deps: AccountDeps,
  { merchantId, body }: MemberCall<DeskBody>,
  { rules, answer: answerCall }: PageCall,
): AccountResult {
  const projectId = idOf(body.general.project_id);
  const project = (await scopeOf(deps, merchantId)).projects.find(({ id }) => id === projectId);
  if (project === undefined) return fail(NO_PROJECT);
  if (project.book !== "test") return fail(accountFaultOf(TEST_PROJECTS_ONLY));
  const wrong = rules?.(body) ?? [];
  if (wrong.length > 0) return fail(accountFaultOf(validationFault(wrong)));
  const answered = await answerCall(deps, project.id, body as never);
  return answered.ok ? ok({ json: answered.value }) : fail(accountFaultOf(answered.error));
}

/** The account's words for what the desk can answer. */
const CODES: Partial<Record<ErrorCode, AccountErrorCode>> = {
  validation_failed: "validation_failed",
  project_forbidden: "forbidden",
  payment_not_found: "not_found",
  wrong_state: "wrong_state",
  unavailable: "unavailable",
};

function accountFaultOf({ code, description, fields, retryAfterS }: Fault): AccountFault {
  return {
    ...accountFault(CODES[code] ?? "internal_error", description),
    ...(fields === undefined ? {} : { fields }),
    ...(retryAfterS === undefined ? {} : { retryAfterS }),
  };
}
