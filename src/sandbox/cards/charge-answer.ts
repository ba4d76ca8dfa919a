import { type Answer, answerJson } from "../answer.ts";
import type { Charge } from "./charges.ts";

/** Where the issuer's and the provider's pages are, below the sandbox's own address. */
export const PATHS = {
  challenge: "/acs/challenge",
  pareq: "/acs/pareq",
  method: "/acs/method",
  checkout: "/checkout",
} as const;

/** What the acquirer says of a charge. */
export function showCharge(charge: Charge, publicUrl: string): Answer {
  const { reference, status, amount, currency, masked_pan, expires_at } = charge;
  return answerJson(
    JSON.stringify({
      reference,
      status,
      ...(charge.reason === null ? {} : { reason: charge.reason }),
      amount: Number(amount),
      ...(status === "approved" || status === "reversed" ? { approved_amount: Number(charge.pays_amount) } : {}),
      currency,
      card: masked_pan,
      expires_at,
      ...(status === "challenge" ? { three_ds: threeDsOf(charge, publicUrl) } : {}),
      ...(status === "redirect" ? { redirect_url: `${publicUrl}${PATHS.checkout}/${charge.token}` } : {}),
    }),
  );
}

function threeDsOf(charge: Charge, publicUrl: string): Record<string, unknown> {
  const { version, token, session, return_url } = charge;
  if (version === "1.0.2")
    return { version, acs_url: publicUrl + PATHS.pareq, pa_req: token, md: session, term_url: return_url };
  const method = {
    method_url: publicUrl + PATHS.method,
    method_transaction_id: charge.server_transaction_id,
    method_completed: charge.method_done,
  };
  return {
    version,
    acs_url: publicUrl + PATHS.challenge,
    creq: token,
    three_ds_session_data: session,
    ...(charge.method_step ? method : {}),
  };
}
