import { createPublicKey } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { callbackKeyName, type OpenCallbackKey, publicKeyPem } from "../../app/callback-keys.ts";
import type { DirectoryWatch } from "../../app/watch-directory.ts";

const PATH = "/.well-known/tillgate-keys.json";
/** Short beside the days that an old key and a new one sign together. */
const CACHED_S = 300;

/** The public keys that callbacks are verified with: as a JSON Web Key Set, each with its PEM and its token beside it. */
export function addKeysRoute(server: FastifyInstance, deps: { readonly directory: DirectoryWatch }): void {
  server.get(PATH, async (_request, reply) => {
    const directory = await deps.directory.current();
    const keys = directory.callbackKeys.get(callbackKeyName("rsa", null)) ?? [];
    const text = JSON.stringify({ keys: keys.filter((key) => key.retiresAtMs > Date.now()).map(describeKey) });
    return reply
      .header("content-type", "application/json; charset=utf-8")
      .header("cache-control", `public, max-age=${CACHED_S}`)
      .send(text);
  });
}

function describeKey({ id, token, createdAt, retiresAtMs }: OpenCallbackKey): object {
  const pem = publicKeyPem(token);
  return {
    kid: id,
    use: "sig",
    ...createPublicKey(pem).export({ format: "jwk" }),
    // What x-access-token carries. A verifier compares it with nothing: it uses the key that it was given.
    token,
    pem,
    created_at: createdAt.toISOString(),
    retires_at: Number.isFinite(retiresAtMs) ? new Date(retiresAtMs).toISOString() : null,
  };
}
