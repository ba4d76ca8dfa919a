import type { ChargeState, ReversingAcquirer } from "../../core/card-acquirer.ts";
import type { Channel, WireAnswer } from "./channel.ts";
import { isRefused, isUnknownReference } from "./refusals.ts";
import { fromAuthenticationResult, fromChargeRequest, toChargeOutcome } from "./translate-charge.ts";
import { readCharge } from "./wire.ts";

/** The sandbox as a card acquirer. Only a charge that it shows gives the result. */
export function openSandboxCards({ ask }: Pick<Channel, "ask">): ReversingAcquirer {
  return {
    needsHolder: false,
    charge: async (request) => {
      const state = stateOf(await ask("POST", "/cards/charges", fromChargeRequest(request)), request.reference);
      // A charge that was just requested cannot be "never seen".
      return state.kind === "never_seen" ? { kind: "unknown" } : state;
    },
    passAuthentication: async (reference, result) => {
      const answer = await ask("POST", `${pathOf(reference)}/authenticate`, fromAuthenticationResult(result));
      return isRefused(answer, "result_invalid") ? { kind: "result_invalid" } : stateOf(answer, reference);
    },
    askChargeState: async (reference) => stateOf(await ask("GET", pathOf(reference)), reference),
    reverse: async (reference) => stateOf(await ask("POST", `${pathOf(reference)}/reverse`), reference),
    cancel: async (reference) => stateOf(await ask("POST", `${pathOf(reference)}/cancel`), reference),
  };
}

function pathOf(reference: string): string {
  return `/cards/charges/${encodeURIComponent(reference)}`;
}

function stateOf(answer: WireAnswer, reference: string): ChargeState {
  if (isUnknownReference(answer)) return { kind: "never_seen" };
  if (answer.kind !== "answered" || answer.status !== 200) return { kind: "unknown" };
  const charge = readCharge(answer.body);
  return charge?.reference === reference ? toChargeOutcome(charge) : { kind: "unknown" };
}
