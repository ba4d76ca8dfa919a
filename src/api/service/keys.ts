import { createPublicKey } from "node:crypto";
import type { FastifyInstance } from "fastify";
import {
  callbackKeyName,
  inSigningOrder,
  type OpenCallbackKey,
  publicKeyPem,
} from "../../app/callbacks/callback-keys.ts";
import type { DirectoryWatch } from "../../app/merchants/watch-directory.ts";

const PATH = "/.well-known/tillgate-keys.json";
/** Short beside the days that an old key and a new one sign together. */
const CACHED_S = 300;
/** What the first and the second key make. A third is of no use to receivers, but says that it is there. */
const HEADERS: readonly (string | undefined)[] = ["x-access-signature", "x-access-signature-next"];

/** The public keys that callbacks are verified with: as a JSON Web Key Set, each with its PEM and its token beside it. */
export function addKeysRoute(server: FastifyInstance, deps: { readonly directory: DirectoryWatch }): void {
  server.get(PATH, async (_request, reply) => {
    const directory = await deps.directory.current();
    const keys = directory.callbackKeys.get(callbackKeyName("rsa", null)) ?? [];
    const inForce = inSigningOrder(keys.filter((key) => key.retiresAtMs > Date.now()));
    const text = JSON.stringify({ keys: inForce.map((key, index) => describeKey(key, HEADERS[index])) });
    return reply
      .header("content-type", "application/json; charset=utf-8")
      .header("cache-control", `public, max-age=${CACHED_S}`)
      .send(text);
  });
}

function describeKey({ id, token, createdAt, retiresAtMs }: OpenCallbackKey, header: string | undefined): object {
  const pem = publicKeyPem(token);
  return {
    kid: id,
    use: "sig",
    ...createPublicKey(pem).export({ format: "jwk" }),
    // What x-access-token carries. A verifier compares it with nothing: it uses the key that it was given.
    token,
    pem,
    signs: header ?? null,
    created_at: createdAt.toISOString(),
    retires_at: Number.isFinite(retiresAtMs) ? new Date(retiresAtMs).toISOString() : null,
  };
}
