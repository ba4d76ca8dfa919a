import { ALGORITHMS, type Algorithm, type Scheme } from "./algorithms.ts";
import { type Bytes, base64urlOf, digest, utf8 } from "./bytes.ts";
import type { KeyHandle, SigningKey } from "./keys.ts";
import { type MadeMessage, type MessageParts, makeMessage } from "./message.ts";

export type SignedCall = MadeMessage & {
  readonly algorithm: Algorithm;
  readonly signature: string;
  readonly headers: Readonly<Record<string, string>>;
};

type Call = MessageParts & { readonly algorithm: Algorithm; readonly merchantId: string };

export async function signCall({ key, token }: SigningKey, call: Call): Promise<SignedCall> {
  const { algorithm, merchantId, timestamp } = call;
  const { scheme } = ALGORITHMS[algorithm];
  const made = await makeMessage(scheme, call);
  const signature = base64urlOf(await signMessage(key, scheme, made.message));
  return {
    ...made,
    algorithm,
    signature,
    headers: {
      "content-type": "application/json",
      "x-access-timestamp": timestamp,
      "x-access-merchant-id": merchantId,
      "x-access-token": token,
      "x-access-merchant-algorithm": algorithm,
      "x-access-signature": signature,
    },
  };
}

async function signMessage(key: KeyHandle, scheme: Scheme, message: string): Promise<Bytes> {
  const isRsa = key.algorithm.name !== "HMAC";
  // RSA-SHA256 hashes what it is given. Scheme 1 gives it a digest, so SHA-256 runs twice.
  const input = isRsa && scheme === 1 ? await digest(utf8(message)) : utf8(message);
  return new Uint8Array(await crypto.subtle.sign(key.algorithm.name, key, input));
}
