import { describe, expect, it } from "vitest";
import { RIGHTS } from "../../src/core/people/rights.ts";
import { aMember, openAccountClient, sessionOf, TEST_PASSWORD } from "../../src/testing/account-client.ts";
import { aProject } from "../../src/testing/builders/projects.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";

const database = useTestDatabase();
const service = useTestService(database);

describe("signing in", () => {
  it("opens the sandbox's account with the login of sandbox.json", async () => {
    const { account_login: email = "", account_password: password } = service.sandbox();
    const client = openAccountClient(service.url());
    const signed = await client.post("sign-in", { email: `  ${email.toUpperCase()} `, password });
    expect([signed.status, signed.json]).toEqual([200, { next: "done", methods: [] }]);
    const [cookie] = signed.headers["set-cookie"] as string[];
    expect(cookie).toMatch(/^tillgate-session=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    const { status, json } = await client.get("session");
    expect(status).toBe(200);
    expect(json).toMatchObject({
      person: { email, language: "en" },
      merchant: { id: service.sandbox().merchant_id },
      role: "owner",
      rights: RIGHTS,
      second_factor: { totp: false, passkeys: 0, recovery_codes_left: 0 },
      must_set_second_factor: false,
      stepped_up_until: null,
      mode: "development",
    });
  });

  it("stores no token, and ends the session at sign-out", async () => {
    const { merchantId } = await aProject(database.db);
    const member = await aMember(database.db, merchantId, "viewer");
    const client = openAccountClient(service.url());
    expect((await client.post("sign-in", { email: member.email, password: TEST_PASSWORD })).status).toBe(200);
    const token = client.cookie() ?? "";
    const rows = await database.db.run<{ all: string }>({
      text: "select to_json(sessions)::text as all from sessions",
    });
    expect(rows.map((row) => row.all).join()).not.toContain(token);
    const out = await client.post("sign-out");
    expect(out.status).toBe(200);
    expect(client.cookie()).toBeUndefined();
    expect((await openAccountClient(service.url(), token).get("session")).status).toBe(401);
  });

  it("answers a wrong password and an unknown login alike", async () => {
    const { merchantId } = await aProject(database.db);
    const member = await aMember(database.db, merchantId, "viewer");
    const client = openAccountClient(service.url());
    const wrong = await client.post("sign-in", { email: member.email, password: "not the password" });
    const unknown = await client.post("sign-in", { email: "no-one@shop.example", password: "not the password" });
    const noAddress = await client.post("sign-in", { email: "нет", password: "not the password" });
    expect([wrong.status, wrong.json.error.code]).toEqual([401, "sign_in_failed"]);
    expect([unknown.status, unknown.json]).toEqual([wrong.status, wrong.json]);
    expect([noAddress.status, noAddress.json]).toEqual([wrong.status, wrong.json]);
  });

  it("refuses bodies that it does not understand", async () => {
    const client = openAccountClient(service.url());
    const given = [
      "{",
      "[]",
      '"x"',
      '{"email":"a"}',
      '{"email":1,"password":"x"}',
      '{"email":"a","password":"x","z":1}',
    ];
    for (const body of [...given, '{"email":"a","email":"a","password":"x"}', "x".repeat(40_000)]) {
      const { status, json } = await client.post("sign-in", body);
      expect([body.slice(0, 50), status]).toEqual([body.slice(0, 50), 400]);
      expect(["malformed_json", "validation_failed"]).toContain(json.error.code);
    }
  });
});

it("forgets a person's rights the moment the membership ends", async () => {
  const { merchantId } = await aProject(database.db);
  const member = await aMember(database.db, merchantId, "owner");
  const client = openAccountClient(service.url(), (await sessionOf(database.db, member)).token);
  expect((await client.get("session")).json.role).toBe("owner");
  await database.db.run({
    text: "update memberships set ended_at = now() where person_id = $1",
    values: [member.personId],
  });
  expect((await client.get("session")).json).toMatchObject({ role: null, rights: [], merchant: null });
});
