import { expect } from "vitest";
import { createTillgate, type Tillgate, TillgateError, type TillgateOptions } from "../src/index.ts";
import type { Answer, Received } from "./local-server.ts";
import { hmacOf, messageFor, newRsaPair, rsaVerifies } from "./reference.ts";

const pair = newRsaPair();
export const rsa = {
  merchantId: "merchant-1",
  projectId: "project-1",
  kind: "rsa",
  privateKeyPem: pair.privateKeyPem,
} as const;
export const hmac = {
  merchantId: "merchant-1",
  projectId: "project-1",
  kind: "hmac",
  keyId: "ak_1",
  secret: "made-up",
} as const;

export const balance = { balance: [{ currency: "RUB", amount: 98000, locked_amount: 0 }] };
export const bank = {
  id: "b1",
  name: "Сбербанк",
  symbol: "sberbank",
  sbp_code: "100000000111",
  is_sbp_bank: true,
  country_code: "RU",
};
export const fault = (code: string) => ({
  status: "error",
  sub_status: null,
  status_description: `it is ${code}`,
  code,
  errors: [],
});
export const reset: Answer = (_, __, request) => request.socket.resetAndDestroy();
export const silence: Answer = () => {};

/** A client that does not wait between attempts, but writes down how long it would have. */
export function clientOf(url: string, changes: Partial<TillgateOptions> = {}): { client: Tillgate; slept: number[] } {
  const slept: number[] = [];
  const sleep = async (ms: number) => void slept.push(ms);
  return { client: createTillgate({ baseUrl: url, credentials: hmac, random: () => 0.5, sleep, ...changes }), slept };
}

export async function failureOf(call: Promise<unknown>): Promise<TillgateError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(TillgateError);
  return error as TillgateError;
}

export function signatureFits({ method, path, headers, rawBody }: Received, scheme: 1 | 2): boolean {
  const timestamp = String(headers["x-access-timestamp"]);
  const message = messageFor(scheme, { method, path, timestamp, rawBody: rawBody.toString() });
  const signature = String(headers["x-access-signature"]);
  const isRsa = String(headers["x-access-merchant-algorithm"]).startsWith("RSA");
  return isRsa
    ? rsaVerifies(scheme, pair.publicKeyPem, message, signature)
    : hmacOf(hmac.secret, message) === signature;
}
