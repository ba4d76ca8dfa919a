import { createHash, type KeyObject } from "node:crypto";
import type { TLSSocket } from "node:tls";

/** SHA-256 of a public key's SPKI, base64, as HTTP Public Key Pinning wrote it. A renewed certificate may keep its key. */
export function keyPinOf(key: KeyObject): string {
  return createHash("sha256")
    .update(key.export({ type: "spki", format: "der" }))
    .digest("base64");
}

/** Besides the usual checks: an authority that is trusted may have been deceived. No pins: those checks are enough. */
export function fitsPins(
  socket: Pick<TLSSocket, "getPeerX509Certificate">,
  pins: readonly string[] | undefined,
): boolean {
  if (pins === undefined) return true;
  const key = socket.getPeerX509Certificate()?.publicKey;
  return key !== undefined && pins.includes(keyPinOf(key));
}
