import type { ThreeDsChallenge } from "../../core/card-acquirer.ts";
import type { Id } from "../../core/ids.ts";
import type { PaymentState } from "../../core/payments/states.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { StoredCardPayin } from "../../store/cards/card-payins.ts";
import { unsealPageToken, unsealStep } from "../cards/card-secrets.ts";

/** What a merchant needs to take the payer on: the issuer's own terms, or a page of ours that does it all. */
export function integrationOf(
  keyring: Keyring,
  publicUrl: string,
  state: PaymentState,
  row: Pick<StoredCardPayin, "requestId" | "challenge" | "pageToken">,
): object | undefined {
  const isAwaited = state === "processing:awaiting_3ds_result" || state === "processing:awaiting_redirect_result";
  if (!isAwaited || row.challenge === null) return undefined;
  const requestId = row.requestId as Id;
  const step = unsealStep(keyring, requestId, row.challenge);
  const redirect_url = pageUrl(publicUrl, unsealPageToken(keyring, requestId, row.pageToken));
  return step.kind === "redirect" ? { redirect_url } : { three_ds: wireChallenge(step.challenge), redirect_url };
}

export function pageUrl(publicUrl: string, pageToken: string): string {
  return `${publicUrl}/3ds/${pageToken}`;
}

function wireChallenge(challenge: ThreeDsChallenge): object {
  const { version, acsUrl: acs_url } = challenge;
  return challenge.version === "2.2.0"
    ? { version, acs_url, creq: challenge.creq, three_ds_session_data: challenge.sessionData }
    : { version, acs_url, pa_req: challenge.paReq, md: challenge.md, term_url: challenge.termUrl };
}
