import { TEST_PROJECTS_ONLY } from "../../app/sandbox/desk/desk-clock.ts";
import type { DeskDeps } from "../../app/sandbox/desk/desk-deps.ts";
import { type Fault, validationFault } from "../../core/errors.ts";
import { fail, ok } from "../../core/result.ts";
import { ambiguousUnderScheme1 } from "../../platform/signing.ts";
import type { AdmittedCall } from "../merchant/admit.ts";
import type { MerchantCall } from "../merchant/call.ts";
import { DESK_CALLS, type DeskCall } from "./desk-calls.ts";

const SIGNED_DESK = "/sandbox/api";

/** The desk for a merchant's programs: signed like every other call, and for test projects only. */
export function signedDeskCalls(desk: DeskDeps): readonly MerchantCall[] {
  return DESK_CALLS.map((call) => signedCall(desk, call));
}

export const SIGNED_DESK_PATHS: readonly string[] = DESK_CALLS.map(pathOf);

function pathOf({ name }: DeskCall): string {
  return `${SIGNED_DESK}/${name}`;
}

function signedCall(desk: DeskDeps, call: DeskCall): MerchantCall {
  const { body, rules, answer } = call;
  return {
    path: pathOf(call),
    body,
    ...(rules === undefined ? {} : { rules: () => rules }),
    answer: async (_deps, admitted) => {
      const { project } = admitted;
      const refused = project.book === "test" ? findAmbiguity(admitted, body) : TEST_PROJECTS_ONLY;
      if (refused !== undefined) return fail(refused);
      const answered = await answer(desk, project.id, admitted.body as never);
      return answered.ok ? ok({ json: JSON.stringify(answered.value) }) : answered;
    },
  };
}

const AMBIGUOUS_MAX = 10;

/**
 * These bodies have members at their top that no other call has, so a text could pass for one of them under scheme 1. The
 * check of all calls knows the others.
 */
function findAmbiguity({ scheme, body }: AdmittedCall, schema: DeskCall["body"]): Fault | undefined {
  if (scheme !== 1) return undefined;
  const members = Object.keys((schema as { readonly properties?: object }).properties ?? {});
  const fields = ambiguousUnderScheme1(
    body,
    members.map((name) => `;${name}:`),
    AMBIGUOUS_MAX,
  );
  if (fields.length === 0) return undefined;
  const message =
    "holds ; with a member's name and : behind it, which scheme 1 cannot sign unambiguously; use scheme 2";
  return validationFault(fields.map((field) => ({ field, code: "not_allowed", message })));
}
