import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { aMember, openAccountClient, sessionOf, TEST_PASSWORD } from "../../src/testing/account-client.ts";
import { useTestBrowser } from "../../src/testing/browser/browser.ts";
import { aProject } from "../../src/testing/builders/projects.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";

/** Passkeys, with the authenticator that Chromium has for tests. A device signs for a name, so the page is at localhost. */
const database = useTestDatabase();
const service = useTestService(database);
const browser = useTestBrowser();
const { db } = database;

type Reply = { readonly status: number; readonly json: Record<string, unknown> };

/** A call from the page itself, with the headers that a browser sends. */
function call(page: Page, path: string, body: unknown = {}): Promise<Reply> {
  return page.evaluate(
    async ([to, text]) => {
      const answer = await fetch(`/account/api/${to}`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-tillgate-account": "1" },
        body: text as string,
      });
      return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
    },
    [path, JSON.stringify(body)],
  );
}

/** As much of the browser's own world as the function below uses, which runs there. */
type World = {
  readonly PublicKeyCredential: Record<string, ((json: unknown) => unknown) | undefined>;
  readonly navigator: {
    readonly credentials: Record<"create" | "get", (request: unknown) => Promise<{ toJSON: () => unknown }>>;
  };
};

/** The browser's part: asks the authenticator, and answers as JSON. */
function authenticate(page: Page, kind: "create" | "get", options: unknown): Promise<unknown> {
  return page.evaluate(
    async ([what, given]) => {
      const { PublicKeyCredential: all, navigator } = globalThis as unknown as World;
      const parse = what === "create" ? "parseCreationOptionsFromJSON" : "parseRequestOptionsFromJSON";
      const made = await navigator.credentials[what]({ publicKey: all[parse]?.(given) });
      return made.toJSON();
    },
    [kind, options] as const,
  );
}

async function openPage(): Promise<Page> {
  const { page } = await browser.open();
  const devices = await page.context().newCDPSession(page);
  await devices.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2",
    transport: "internal",
    hasUserVerification: true,
    isUserVerified: true,
  } as const;
  await devices.send("WebAuthn.addVirtualAuthenticator", {
    options: { ...options, hasResidentKey: true, automaticPresenceSimulation: true },
  });
  await page.goto(`${service.url().replace("127.0.0.1", "localhost")}/healthz`);
  return page;
}

describe.skipIf(browser.isMissing)("a passkey", { timeout: 240_000 }, () => {
  it("is made, asked for at sign-in, proves a step-up, and is removed", async () => {
    const member = await aMember(db, (await aProject(db)).merchantId, "owner");
    const page = await openPage();
    const login = { email: member.email, password: TEST_PASSWORD };
    expect((await call(page, "sign-in", login)).json).toEqual({ next: "done", methods: [] });
    expect((await call(page, "step-up", { kind: "password", code: TEST_PASSWORD })).status).toBe(200);

    const begun = await call(page, "second-factor/passkeys/begin");
    expect(begun.json).toMatchObject({ rp: { id: "localhost" }, user: { name: member.email } });
    const response = await authenticate(page, "create", begun.json);
    const added = await call(page, "second-factor/passkeys/finish", { name: "Laptop", response });
    expect([added.status, (added.json.recovery_codes as string[]).length]).toEqual([200, 10]);
    // A challenge is used once.
    expect((await call(page, "second-factor/passkeys/finish", { name: "Again", response })).status).toBe(422);

    expect((await call(page, "sign-out")).status).toBe(200);
    const signed = await call(page, "sign-in", login);
    expect(signed.json).toEqual({ next: "second_factor", methods: ["passkey", "recovery_code"] });
    const asked = await call(page, "sign-in/passkey/options");
    const proof = { response: await authenticate(page, "get", asked.json) };
    const wrong = { response: { ...(proof.response as object), id: "AAAA" } };
    expect((await call(page, "sign-in/passkey", wrong)).status).toBe(422);
    // The wrong answer used the challenge up.
    expect((await call(page, "sign-in/passkey", proof)).status).toBe(422);
    const again = await call(page, "sign-in/passkey/options");
    const good = { response: await authenticate(page, "get", again.json) };
    expect(await call(page, "sign-in/passkey", good)).toEqual({ status: 200, json: { next: "done" } });

    const before = await call(page, "second-factor/passkeys/begin");
    expect((before.json.error as { code: string }).code).toBe("step_up_required");
    const step = await call(page, "step-up/passkey/options");
    const stepped = { response: await authenticate(page, "get", step.json) };
    expect((await call(page, "step-up/passkey", stepped)).status).toBe(200);
    expect((await call(page, `second-factor/passkeys/${added.json.id}/remove`)).status).toBe(200);
    expect((await call(page, "sign-out")).status).toBe(200);
    expect((await call(page, "sign-in", login)).json).toMatchObject({ next: "done" });
  });

  it("of one person proves nothing for another", async () => {
    const { merchantId } = await aProject(db);
    const [anna, boris] = [await aMember(db, merchantId, "owner"), await aMember(db, merchantId, "viewer")];
    const page = await openPage();
    await call(page, "sign-in", { email: anna.email, password: TEST_PASSWORD });
    await call(page, "step-up", { kind: "password", code: TEST_PASSWORD });
    const begun = await call(page, "second-factor/passkeys/begin");
    const made = await authenticate(page, "create", begun.json);
    expect((await call(page, "second-factor/passkeys/finish", { name: "A", response: made })).status).toBe(200);
    const asked = await call(page, "step-up/passkey/options");
    const response = await authenticate(page, "get", asked.json);
    const other = openAccountClient(service.url(), (await sessionOf(db, boris)).token);
    expect((await other.post("step-up/passkey/options")).status).toBe(200);
    expect((await other.post("step-up/passkey", { response })).status).toBe(422);
    expect((await other.get("session")).json.stepped_up_until).toBeNull();
  });
});
