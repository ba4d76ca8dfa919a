import { randomBytes, randomUUID } from "node:crypto";

/**
 * What travels through the browser between us, the gateway and the issuer. The messages look as those of the protocols
 * do, but all that matters is that they cannot be guessed: each is compared, whole, with the one that was written down.
 */
export type ThreeDsVersion = "2.2.0" | "1.0.2";

export type TransactionIds = { readonly serverTransactionId: string; readonly acsTransactionId: string };

export type NewAuthentication = TransactionIds & {
  readonly version: ThreeDsVersion | "redirect";
  readonly token: string;
  readonly session: string;
};

const TOKEN_BYTES = 24;

export function newAuthentication(version: NewAuthentication["version"]): NewAuthentication {
  const ids = { serverTransactionId: randomUUID(), acsTransactionId: randomUUID() };
  return { version, token: newToken(version, ids), session: randomToken(), ...ids };
}

function newToken(version: NewAuthentication["version"], ids: TransactionIds): string {
  switch (version) {
    case "2.2.0":
      return encode({ messageType: "CReq", ...common(version, ids), challengeWindowSize: "05" }, "base64url");
    case "1.0.2":
      return encode({ messageType: "PAReq", ...common(version, ids) }, "base64");
    case "redirect":
      return randomToken();
  }
}

/** The issuer's word. A person who knows the request still cannot make it, because of what is random in it. */
export function newResult(version: ThreeDsVersion, ids: TransactionIds, outcome: "passed" | "failed"): string {
  const body = { ...common(version, ids), transStatus: outcome === "passed" ? "Y" : "N", seal: randomToken() };
  return version === "1.0.2"
    ? encode({ messageType: "PARes", ...body }, "base64")
    : encode({ messageType: "CRes", ...body }, "base64url");
}

function common(version: ThreeDsVersion, ids: TransactionIds): Record<string, string> {
  const { serverTransactionId, acsTransactionId } = ids;
  return { messageVersion: version, threeDSServerTransID: serverTransactionId, acsTransID: acsTransactionId };
}

export type MethodData = { readonly serverTransactionId: string; readonly notificationUrl: string };

/** What the gateway's page sends into the hidden frame. */
export function readMethodData(text: string): MethodData | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    if (typeof data !== "object" || data === null) return undefined;
    const { threeDSServerTransID: id, threeDSMethodNotificationURL: url } = data as Record<string, unknown>;
    if (typeof id !== "string" || typeof url !== "string") return undefined;
    return { serverTransactionId: id, notificationUrl: url };
  } catch {
    return undefined;
  }
}

export function writeMethodData(serverTransactionId: string): string {
  return encode({ threeDSServerTransID: serverTransactionId }, "base64url");
}

function encode(message: object, encoding: "base64" | "base64url"): string {
  return Buffer.from(JSON.stringify(message)).toString(encoding);
}

function randomToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}
