import { beforeEach, describe, expect, it } from "vitest";
import type { Id } from "../../src/core/ids.ts";
import { totpCode, totpStep } from "../../src/platform/totp.ts";
import {
  type AccountClient,
  aMember,
  openAccountClient,
  sessionOf,
  TEST_PASSWORD,
  type TestMember,
} from "../../src/testing/account-client.ts";
import { aProject } from "../../src/testing/builders/projects.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";

const database = useTestDatabase();
const service = useTestService(database);
const { db } = database;

let merchantId: Id;
let owner: TestMember;
let asOwner: AccountClient;

beforeEach(async () => {
  ({ merchantId } = await aProject(db));
  owner = await aMember(db, merchantId, "owner");
  asOwner = await signedIn(owner);
  // Guesses of earlier tests are not these tests' concern.
  await db.run({ text: "update sign_in_guesses set tokens = 50" });
});

async function signedIn(member: TestMember, steppedUp = true): Promise<AccountClient> {
  return openAccountClient(service.url(), (await sessionOf(db, member, { steppedUp })).token);
}

const CHOSEN = "seven green bottles";

async function invited(email: string, role = "viewer"): Promise<string> {
  const { status, json } = await asOwner.post("team/invite", { email, role });
  expect(status).toBe(200);
  return new URL(json.link).hash.slice(1);
}

async function auditActions(): Promise<string[]> {
  const { json } = await asOwner.get("audit");
  return json.lines.map(({ action, subject }: { action: string; subject: string }) => `${action} ${subject}`);
}

describe("an invitation", () => {
  it("makes a member, once", async () => {
    const token = await invited("Anna@Shop.example", "accountant");
    const client = openAccountClient(service.url());
    expect((await client.post("invitation/look", { token })).json).toEqual({
      merchant_name: "Shop",
      role: "accountant",
      email: "anna@shop.example",
      has_password: false,
    });
    const short = await client.post("invitation/accept", { token, name: "Anna", password: "short" });
    expect([short.status, short.json.error.code]).toEqual([422, "password_too_short"]);
    const joined = await client.post("invitation/accept", { token, name: "Anna", password: CHOSEN });
    expect([joined.status, joined.json]).toEqual([200, { next: "done", methods: [] }]);
    expect((await client.get("session")).json).toMatchObject({ role: "accountant", merchant: { id: merchantId } });
    for (const path of ["look", "accept"]) {
      const body = path === "look" ? { token } : { token, name: "Anna", password: CHOSEN };
      const again = await openAccountClient(service.url()).post(`invitation/${path}`, body);
      expect([again.status, again.json.error.code]).toEqual([404, "link_invalid"]);
    }
    expect(await auditActions()).toEqual(
      expect.arrayContaining(["team.invite anna@shop.example", "team.join anna@shop.example"]),
    );
  });

  it("makes one member of two that use it at once", async () => {
    const token = await invited("twice@shop.example");
    const replies = await Promise.all(
      [1, 2].map(() =>
        openAccountClient(service.url()).post("invitation/accept", { token, name: "T", password: CHOSEN }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  it("ends after 72 hours, when it is revoked, and when another replaces it", async () => {
    const works = async (token: string) =>
      (await openAccountClient(service.url()).post("invitation/look", { token })).status === 200;
    const late = await invited("late@shop.example");
    const move = (hours: number) =>
      db.run({
        text: "update invitations set expires_at = expires_at - make_interval(hours => $2) where email = $1",
        values: ["late@shop.example", hours],
      });
    await move(71);
    expect(await works(late)).toBe(true);
    await move(1);
    expect(await works(late)).toBe(false);
    const first = await invited("other@shop.example");
    const second = await invited("other@shop.example");
    expect([await works(first), await works(second)]).toEqual([false, true]);
    const { json } = await asOwner.get("team");
    const row = json.invitations.find(({ email }: { email: string }) => email === "other@shop.example");
    expect((await asOwner.post(`team/invitations/${row.id}/revoke`)).status).toBe(200);
    expect(await works(second)).toBe(false);
  });

  it("lets a person with a password in by that password alone", async () => {
    const other = await aProject(db);
    const known = await aMember(db, other.merchantId, "developer");
    const token = await invited(known.email, "viewer");
    const client = openAccountClient(service.url());
    const wrong = await client.post("invitation/accept", { token, name: "X", password: CHOSEN });
    expect([wrong.status, wrong.json.error.code]).toEqual([401, "sign_in_failed"]);
    expect((await client.post("invitation/accept", { token, name: "X", password: TEST_PASSWORD })).status).toBe(200);
    const { json } = await client.get("session");
    expect(json).toMatchObject({ role: "viewer", merchant: { id: merchantId }, person: { name: "The developer" } });
    expect(json.memberships).toHaveLength(2);
    expect((await client.post("merchant/choose", { merchant_id: other.merchantId })).status).toBe(200);
    expect((await client.get("session")).json.role).toBe("developer");
    expect((await client.post("merchant/choose", { merchant_id: service.sandbox().merchant_id })).status).toBe(404);
  });

  it("is not made for a member, or for what is no address", async () => {
    const member = await asOwner.post("team/invite", { email: owner.email, role: "viewer" });
    expect([member.status, member.json.error.code]).toEqual([409, "already_member"]);
    for (const email of ["x", "a@b", "a@shop.example\r\nBcc: x@y.example", "имя@shop.example"])
      expect((await asOwner.post("team/invite", { email, role: "viewer" })).status).toBe(400);
  });
});

describe("the team", () => {
  it("keeps an owner, also when two demote each other at once", async () => {
    const alone = await asOwner.post(`team/${owner.personId}/remove`);
    expect([alone.status, alone.json.error.code]).toEqual([409, "last_owner"]);
    const second = await aMember(db, merchantId, "owner");
    const asSecond = await signedIn(second);
    const replies = await Promise.all([
      asOwner.post(`team/${second.personId}/role`, { role: "viewer" }),
      asSecond.post(`team/${owner.personId}/role`, { role: "viewer" }),
    ]);
    expect(replies.map(({ status }) => status).sort()).not.toEqual([200, 200]);
    const owners = await db.run({
      text: "select 1 from memberships where merchant_id = $1 and role = 'owner' and ended_at is null",
      values: [merchantId],
    });
    expect(owners).toHaveLength(1);
  });

  it("changes roles at once, and writes down what they were", async () => {
    const member = await aMember(db, merchantId, "viewer");
    const asMember = await signedIn(member);
    expect((await asMember.get("audit")).status).toBe(403);
    expect((await asOwner.post(`team/${member.personId}/role`, { role: "owner" })).status).toBe(200);
    const { json } = await asMember.get("audit");
    expect(json.lines[0]).toMatchObject({
      actor: { kind: "person", name: owner.email },
      address: "127.0.0.1",
      action: "team.role",
      subject: member.email,
      before: { role: "viewer" },
      after: { role: "owner" },
    });
    expect((await asOwner.post(`team/${member.personId}/remove`)).status).toBe(200);
    expect((await asMember.get("team")).status).toBe(403);
  });
});

describe("sessions", () => {
  it("are listed and revoked by their person", async () => {
    const elsewhere = await signedIn(owner, false);
    const { json } = await asOwner.get("sessions");
    expect(json.sessions).toHaveLength(2);
    const other = json.sessions.find(({ current }: { current: boolean }) => !current);
    expect(other).toMatchObject({ address: "192.0.2.1", browser: "test browser" });
    expect((await asOwner.post(`sessions/${other.id}/revoke`)).status).toBe(200);
    expect((await elsewhere.get("session")).status).toBe(401);
    expect((await asOwner.get("session")).status).toBe(200);
  });

  it("all end but the present one when the password changes, and the old password is worth nothing", async () => {
    const elsewhere = await signedIn(owner, false);
    const wrong = await asOwner.post("password/change", { password: CHOSEN, new_password: CHOSEN });
    expect([wrong.status, wrong.json.error.code]).toEqual([422, "code_wrong"]);
    const body = { password: TEST_PASSWORD, new_password: CHOSEN };
    expect((await asOwner.post("password/change", body)).status).toBe(200);
    expect([(await asOwner.get("session")).status, (await elsewhere.get("session")).status]).toEqual([200, 401]);
    const client = openAccountClient(service.url());
    expect((await client.post("sign-in", { email: owner.email, password: TEST_PASSWORD })).status).toBe(401);
    expect((await client.post("sign-in", { email: owner.email, password: CHOSEN })).status).toBe(200);
  });
});

describe("a second factor", () => {
  async function withTotp(client: AccountClient) {
    const begun = await client.post("second-factor/totp/begin");
    expect(begun.status).toBe(200);
    const secret = decodeBase32(begun.json.secret);
    expect(new URL(begun.json.uri).searchParams.get("secret")).toBe(begun.json.secret);
    const code = (around = 0n) => totpCode(secret, totpStep(Date.now()) + around);
    const confirmed = await client.post("second-factor/totp/confirm", { code: code() });
    expect(confirmed.status).toBe(200);
    expect(confirmed.json.recovery_codes).toHaveLength(10);
    return { code, recovery: confirmed.json.recovery_codes as string[] };
  }

  it("is asked for at sign-in, and no code works twice", async () => {
    const { code, recovery } = await withTotp(asOwner);
    const client = openAccountClient(service.url());
    const signed = await client.post("sign-in", { email: owner.email, password: TEST_PASSWORD });
    expect(signed.json).toEqual({ next: "second_factor", methods: ["totp", "recovery_code"] });
    const waiting = client.cookie() ?? "";
    expect((await client.get("session")).status).toBe(401);
    const wrong = await client.post("sign-in/second-factor", { kind: "totp", code: "000000" });
    expect([wrong.status, wrong.json.error.code]).toEqual([422, "code_wrong"]);
    const used = code(1n);
    expect((await client.post("sign-in/second-factor", { kind: "totp", code: used })).status).toBe(200);
    expect((await client.get("session")).json.second_factor).toEqual({
      totp: true,
      passkeys: 0,
      recovery_codes_left: 10,
    });
    expect(client.cookie()).not.toBe(waiting);
    const replay = await openAccountClient(service.url(), waiting).post("sign-in/second-factor", {
      kind: "totp",
      code: used,
    });
    expect(replay.status).toBe(409);
    const second = openAccountClient(service.url());
    await second.post("sign-in", { email: owner.email, password: TEST_PASSWORD });
    expect((await second.post("sign-in/second-factor", { kind: "totp", code: used })).status).toBe(422);
    const paper = { kind: "recovery_code", code: recovery[0]?.toUpperCase().replaceAll("-", " ") };
    expect((await second.post("sign-in/second-factor", paper)).status).toBe(200);
    expect((await second.get("session")).json.second_factor.recovery_codes_left).toBe(9);
    const third = openAccountClient(service.url());
    await third.post("sign-in", { email: owner.email, password: TEST_PASSWORD });
    expect((await third.post("sign-in/second-factor", paper)).status).toBe(422);
  });

  it("is what a step-up needs, where there is one", async () => {
    const client = await signedIn(owner, false);
    expect((await client.post("second-factor/totp/begin")).json.error.code).toBe("step_up_required");
    expect((await client.post("step-up", { kind: "password", code: "not the password" })).status).toBe(422);
    expect((await client.post("step-up", { kind: "password", code: TEST_PASSWORD })).status).toBe(200);
    expect((await client.get("session")).json.stepped_up_until).not.toBeNull();
    const { code } = await withTotp(client);
    const later = await signedIn(owner, false);
    const byPassword = await later.post("step-up", { kind: "password", code: TEST_PASSWORD });
    expect([byPassword.status, byPassword.json.error.code]).toEqual([409, "wrong_state"]);
    expect((await later.post("step-up", { kind: "totp", code: code(1n) })).status).toBe(200);
    await db.run({ text: "update sessions set stepped_up_at = stepped_up_at - interval '10 minutes'" });
    expect((await later.post("second-factor/totp/remove")).json.error.code).toBe("step_up_required");
  });

  it("is demanded of the whole team by an owner who has one", async () => {
    const member = await aMember(db, merchantId, "viewer");
    const asMember = await signedIn(member);
    const bare = await asOwner.post("security", { require_second_factor: true });
    expect([bare.status, bare.json.error.code]).toEqual([409, "wrong_state"]);
    await withTotp(asOwner);
    expect((await asOwner.post("security", { require_second_factor: true })).status).toBe(200);
    expect((await asMember.get("session")).json.must_set_second_factor).toBe(true);
    expect((await asMember.get("team")).json.error.code).toBe("second_factor_required");
    await withTotp(asMember);
    expect((await asMember.get("team")).status).toBe(200);
    expect(await auditActions()).toContain(`second_factor.totp_add ${member.email}`);
  });

  it("stores neither the secret nor the codes", async () => {
    const begun = await asOwner.post("second-factor/totp/begin");
    const secret = decodeBase32(begun.json.secret);
    const rows = await db.run<{ secret: Buffer }>({ text: "select secret from totp_factors where secret is not null" });
    expect(rows.some((row) => row.secret.includes(secret))).toBe(false);
  });
});

function decodeBase32(text: string): Buffer {
  const bits = [...text].map((letter) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"),
  );
  return Buffer.from((bits.join("").match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
