import { request } from "node:http";
import { createPerson } from "../app/people/create-person.ts";
import { openPasswords } from "../app/people/passwords.ts";
import { startSession } from "../app/people/sessions.ts";
import type { Id } from "../core/ids.ts";
import type { Role } from "../core/people/rights.ts";
import { newId } from "../platform/new-id.ts";
import type { Database } from "../store/db.ts";
import { saveStepUp } from "../store/people/sessions.ts";

/** An answer of the account, with the cookie that it set. */
export type AccountReply = {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
};

export type AccountClient = {
  readonly get: (path: string, headers?: Record<string, string>) => Promise<AccountReply>;
  readonly post: (path: string, body?: unknown, headers?: Record<string, string | undefined>) => Promise<AccountReply>;
  /** The value that the browser would send; undefined when it has none. */
  readonly cookie: () => string | undefined;
};

/** A browser of one person: it keeps the cookie, and sends what the account's own pages send. */
export function openAccountClient(baseUrl: string, token?: string): AccountClient {
  let cookie = token;
  const call = async (method: string, path: string, body: unknown, given: Record<string, string | undefined>) => {
    const headers = Object.fromEntries(
      Object.entries({
        ...(cookie === undefined ? {} : { cookie: `tillgate-session=${cookie}` }),
        ...(method === "POST"
          ? { "content-type": "application/json", "x-tillgate-account": "1", origin: new URL(baseUrl).origin }
          : {}),
        "sec-fetch-site": "same-origin",
        "user-agent": "test browser",
        ...given,
      }).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    const text = typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body);
    const reply = await send(`${baseUrl}/account/api/${path}`, method, headers, text);
    const [set] = [reply.headers["set-cookie"] ?? []].flat();
    const value = set === undefined ? undefined : /^(?:__Host-)?tillgate-session=([^;]*)/.exec(set)?.[1];
    if (value !== undefined) cookie = value === "" ? undefined : value;
    return reply;
  };
  return {
    get: (path, headers = {}) => call("GET", path, undefined, headers),
    post: (path, body, headers = {}) => call("POST", path, body, headers),
    cookie: () => cookie,
  };
}

/** Not by fetch, which does not let a program say where a request comes from. */
function send(url: string, method: string, headers: Record<string, string>, body: string): Promise<AccountReply> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        const isJson = response.headers["content-type"]?.startsWith("application/json") === true;
        resolve({
          status: response.statusCode ?? 0,
          json: isJson ? JSON.parse(text) : text,
          headers: response.headers as AccountReply["headers"],
        });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Cheap to make and to check; what tests are about is not the cost. */
const TEST_COST = { log2n: 4, blockSize: 8, parallel: 1 };
export const TEST_PASSWORD = "a long walk to the shore";

export type TestMember = { readonly personId: Id; readonly email: string; readonly merchantId: Id };

export async function aMember(db: Database, merchantId: Id, role: Role): Promise<TestMember> {
  const email = `${role}-${newId().slice(-12)}@shop.example`;
  const passwordHash = (await openPasswords(TEST_COST).hash(TEST_PASSWORD)) ?? "";
  const created = await createPerson(
    db,
    { merchantId, email, name: `The ${role}`, role, passwordHash },
    { kind: "operator", name: "test" },
  );
  if (!created.ok) throw new Error(created.error);
  return { personId: created.value, email, merchantId };
}

/** The cookie of a new session, made without the sign-in. */
export async function sessionOf(
  db: Database,
  { personId }: Pick<TestMember, "personId">,
  { steppedUp = false, now = new Date() }: { steppedUp?: boolean; now?: Date } = {},
): Promise<{ readonly token: string; readonly sessionId: Id }> {
  const caller = { address: "192.0.2.1", userAgent: "test browser" };
  return db.transaction(async (tx) => {
    const { token, sessionId } = await startSession(tx, now, { personId, caller, awaitsFactor: false });
    if (steppedUp) await saveStepUp(tx, sessionId, now);
    return { token: token.reveal(), sessionId };
  });
}
