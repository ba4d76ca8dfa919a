import type { Id } from "../../core/ids.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { PayerPageRow } from "../../store/page/payer-pages.ts";

/** How the token of a hosted page is kept: sealed, beside a keyed hash that finds it. */
export function sealPage(
  keyring: Keyring,
  { projectId, requestId }: { readonly projectId: Id; readonly requestId: Id },
  token: string,
): PayerPageRow {
  return {
    projectId,
    requestId,
    token: keyring.seal(placeOf(requestId), Buffer.from(token)),
    tokenHash: hashPageToken(keyring, token),
  };
}

/** The address of a hosted page, as merchants send it to payers. */
export function formUrlOf(
  keyring: Keyring,
  publicUrl: string,
  { requestId, token }: Pick<PayerPageRow, "requestId" | "token">,
): string {
  return `${publicUrl}/pay/${keyring.unseal(placeOf(requestId), token).reveal().toString("utf8")}`;
}

export function hashPageToken(keyring: Keyring, token: string): Buffer {
  return keyring.lookupHash("payer_pages.token", token);
}

function placeOf(row: string) {
  return { table: "payer_pages", column: "token", row };
}
