import type { CardAcquirer, ChargeState } from "../../core/card-acquirer.ts";
import type { Channel, WireAnswer } from "./channel.ts";
import { type Create, findPayment } from "./create.ts";
import type { UpstreamOptions } from "./options.ts";
import { ECOM_PAYIN } from "./paths.ts";
import { findRefusal } from "./refusals.ts";
import type { Situation } from "./translate.ts";
import { fromAuthenticationResult, fromChargeRequest, toChargeOutcome, toDeclinedCharge } from "./translate-charge.ts";

const UNKNOWN = { kind: "unknown" } as const;

/**
 * The gateway as a card acquirer. The card is in the body of one call and nowhere else here. The protocol can neither give a
 * charge back nor cancel it.
 */
export function openUpstreamCards(
  { ask }: Pick<Channel, "ask">,
  create: Create,
  situation: Situation & Pick<UpstreamOptions, "mode">,
): CardAcquirer {
  const { settings, mode } = situation;
  const generalOf = (reference: string) => ({ project_id: settings.projectId, payment_id: reference });

  function stateOf(answer: WireAnswer, reference: string): ChargeState {
    const payment = findPayment(answer, settings.projectId, reference);
    if (payment !== undefined) return toChargeOutcome(payment, settings, mode);
    return findRefusal(answer)?.meaning === "not_found" ? { kind: "never_seen" } : UNKNOWN;
  }

  return {
    needsHolder: settings.needsHolder,
    charge: async (request) => {
      const created = await create(ECOM_PAYIN, request.reference, fromChargeRequest(situation, request));
      if (created.kind === "payment") return toChargeOutcome(created.payment, settings, mode);
      return created.kind === "refused" ? toDeclinedCharge(created.code) : UNKNOWN;
    },
    passAuthentication: async (reference, result) => {
      const body = { general: generalOf(reference), three_ds: fromAuthenticationResult(result) };
      const answer = await ask(`${ECOM_PAYIN}/confirm-3ds-result`, body);
      const refusal = findRefusal(answer);
      const isInvalid =
        refusal?.meaning === "result_invalid" ||
        // An empty or endless text is refused before the issuer's word is looked for in it.
        (refusal?.code === "validation_failed" && refusal.fields.some((field) => field.startsWith("three_ds")));
      return isInvalid ? { kind: "result_invalid" } : stateOf(answer, reference);
    },
    askChargeState: async (reference) =>
      stateOf(await ask(`${ECOM_PAYIN}/info`, { general: generalOf(reference) }), reference),
  };
}
