import { createHmac, type KeyObject, sign } from "node:crypto";
import { type Credentials, signingKeyOf } from "./credentials.ts";
import { TillgateError } from "./errors.ts";
import { rsaInput, type Scheme, scheme1Message, scheme2Message } from "./message.ts";
import { parseRawBody, type RawBody } from "./raw-body.ts";

export type Algorithm = "RSA-SHA256" | "HMAC-SHA512" | "RSA-SHA256-V2" | "HMAC-SHA512-V2";

const ALGORITHMS = {
  1: { rsa: "RSA-SHA256", hmac: "HMAC-SHA512" },
  2: { rsa: "RSA-SHA256-V2", hmac: "HMAC-SHA512-V2" },
} as const satisfies Record<Scheme, Record<Credentials["kind"], Algorithm>>;

export type SignRequest = {
  readonly credentials: Credentials;
  /** The path of the contract, such as `/api/v1/balance/info`, without any prefix that a proxy takes off. */
  readonly path: string;
  /** Unix time in seconds. */
  readonly timestamp: number;
  readonly scheme?: Scheme | undefined;
} & (
  | { /** Send exactly `JSON.stringify(body)`. */ readonly body: object; readonly rawBody?: undefined }
  | { readonly body?: undefined; readonly rawBody: RawBody }
);

export type SignedHeaders = {
  readonly "content-type": "application/json";
  readonly "x-access-timestamp": string;
  readonly "x-access-merchant-id": string;
  readonly "x-access-token": string;
  readonly "x-access-merchant-algorithm": Algorithm;
  readonly "x-access-signature": string;
};

const TIMESTAMP = /^[0-9]{10}$/;
const PATH = /^\/[^?#\s]*$/;
const METHOD = "POST";

export function signRequest({ credentials, path, timestamp, scheme = 2, body, rawBody }: SignRequest): SignedHeaders {
  if (!TIMESTAMP.test(String(timestamp))) throw new TillgateError("timestamp must be Unix time in whole seconds");
  if (!PATH.test(path)) throw new TillgateError("path must begin with / and have no query, fragment or space");
  const sent = rawBody ?? JSON.stringify(body);
  // Scheme 1 reads back what is sent, so that `toJSON`, `undefined` and the like are signed as the service sees them.
  const message =
    scheme === 1
      ? scheme1Message(parseRawBody(sent), timestamp)
      : scheme2Message({ method: METHOD, path, timestamp, rawBody: sent });
  const { accessToken, key } = signingKeyOf(credentials);
  return {
    "content-type": "application/json",
    "x-access-timestamp": String(timestamp),
    "x-access-merchant-id": credentials.merchantId,
    "x-access-token": accessToken,
    "x-access-merchant-algorithm": ALGORITHMS[scheme][credentials.kind],
    "x-access-signature": signatureOf(scheme, key, message).toString("base64url"),
  };
}

function signatureOf(scheme: Scheme, key: KeyObject | string, message: string): Buffer {
  if (typeof key === "string") return createHmac("sha512", key).update(message).digest();
  return sign("sha256", rsaInput(scheme, message), key);
}
