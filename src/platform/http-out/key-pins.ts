import { createHash, type KeyObject, X509Certificate } from "node:crypto";
import type { TLSSocket } from "node:tls";

/** SHA-256 of a public key's SPKI, base64, as HTTP Public Key Pinning wrote it. A renewed certificate may keep its key. */
export function keyPinOf(key: KeyObject): string {
  return createHash("sha256")
    .update(key.export({ type: "spki", format: "der" }))
    .digest("base64");
}

/** Besides the usual checks: an authority that is trusted may have been deceived. No pins: those checks are enough. */
export function fitsPins(socket: Pick<TLSSocket, "getPeerCertificate">, pins: readonly string[] | undefined): boolean {
  if (pins === undefined) return true;
  const { raw } = socket.getPeerCertificate();
  return raw !== undefined && pins.includes(keyPinOf(new X509Certificate(raw).publicKey));
}
