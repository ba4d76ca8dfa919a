import { beforeAll, describe, expect, it } from "vitest";
import { cardRowOf, newPageToken } from "../../src/app/cards/card-secrets.ts";
import { sealReceiver, sealRequisites } from "../../src/app/payments/payment-secrets.ts";
import type { Requisites } from "../../src/core/connector.ts";
import type { Id } from "../../src/core/ids.ts";
import type { Keyring } from "../../src/platform/secrets.ts";
import { insertCardPayins } from "../../src/store/cards/card-payins.ts";
import {
  type AccountClient,
  aMember,
  openAccountClient,
  sessionOf,
  type TestMember,
} from "../../src/testing/account-client.ts";
import { aCardPayin, aPayin, aPayout, ISSUED } from "../../src/testing/builders/payments.ts";
import { aPng, pngChunk } from "../../src/testing/builders/pictures.ts";
import { aProject } from "../../src/testing/builders/projects.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { serviceKeyring } from "../../src/testing/service/service-keyring.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";

/** The settings of the payment page, the own profile, and full requisites. */
const database = useTestDatabase();
// No worker: the payments stay as they were made.
const service = useTestService(database, {}, "api");
const { db } = database;

let merchantId: Id;
let projectId: Id;
let owner: TestMember;
let asOwner: AccountClient;
let keyring: Keyring;

beforeAll(async () => {
  ({ merchantId, projectId } = await aProject(db, "live"));
  owner = await aMember(db, merchantId, "owner");
  asOwner = await signedIn(owner);
  keyring = await serviceKeyring(db, service);
  await service.settled();
});

async function signedIn(member: TestMember, steppedUp = true): Promise<AccountClient> {
  return openAccountClient(service.url(), (await sessionOf(db, member, { steppedUp })).token);
}

type Line = { action: string; subject: string; actor: { name: string }; before: unknown; after: unknown };

async function auditLines(action: string): Promise<Line[]> {
  const { json } = await asOwner.get("audit");
  return json.lines.filter((line: Line) => line.action === action);
}

const settings = () => asOwner.get(`settings/${projectId}`);
const change = (what: string, body: object, client = asOwner) => client.post(`settings/${projectId}/${what}`, body);
const base64 = (bytes: Buffer) => bytes.toString("base64");

describe("the look of the payment page", () => {
  it("is changed, is written down with before and after, and is seen by every process at once", async () => {
    const before = (await settings()).json;
    expect(before).toEqual({
      project: { id: projectId, name: "Web", book: "live" },
      ...{ accent: null, logo: null, origins: [], support: { email: null, phone: null, url: null }, payer_attempts: 5 },
    });
    const changed = await change("look", { name: "Teapots", accent: "#0B6B58" });
    expect([changed.status, changed.json.project.name, changed.json.accent]).toEqual([200, "Teapots", "#0b6b58"]);
    const [line] = await auditLines("settings.look");
    expect(line).toMatchObject({
      ...{ subject: `Web ${projectId}`, actor: { name: owner.email } },
      before: { name: "Web", accent: null },
      after: { name: "Teapots", accent: "#0b6b58" },
    });
    // By the notification that a change of the directory sends.
    await expect.poll(async () => (await asOwner.get("projects")).json.projects[0].name).toBe("Teapots");
    expect((await change("look", { accent: null })).json.accent).toBeNull();
    // What is already so is no change.
    expect((await change("look", { name: "Teapots" })).status).toBe(200);
    expect(await auditLines("settings.look")).toHaveLength(2);
  });

  it.each([
    [{ accent: "red" }],
    [{ accent: "#12345g" }],
    [{ accent: "#fff" }],
    [{ name: "" }],
    [{ name: "x".repeat(129) }],
    [{ name: "\u202egnp" }],
    [{ name: "a\nb" }],
    [{ accent: 7 }],
    [{ other: "x" }],
  ])("refuses %j, and changes nothing", async (body) => {
    const before = (await settings()).json;
    const { status, json } = await change("look", body);
    expect([status, json.error.code]).toEqual([400, "validation_failed"]);
    expect((await settings()).json).toEqual(before);
  });
});

describe("the contact for payers", () => {
  it("is changed after the second factor, one part or all of it, and is written down", async () => {
    const body = { email: " Help@Shop.example", phone: "+7 800 555-01-02", url: "https://shop.example/help" };
    const plain = await signedIn(owner, false);
    expect((await change("support", body, plain)).json.error.code).toBe("step_up_required");
    const support = { ...body, email: "help@shop.example" };
    expect((await change("support", body)).json.support).toEqual(support);
    expect((await change("support", { phone: null })).json.support).toEqual({ ...support, phone: null });
    const [removed, set] = await auditLines("settings.support");
    expect([removed?.before, removed?.after]).toEqual([{ support_phone: body.phone }, { support_phone: null }]);
    expect(set?.before).toEqual({ support_email: null, support_phone: null, support_url: null });
    await change("support", { email: null, url: null });
  });

  it.each([
    [{ email: "help" }, "email"],
    [{ phone: "call us" }, "phone"],
    [{ phone: "12" }, "phone"],
    [{ url: "javascript:alert(1)" }, "url"],
    [{ email: "help@shop.example", url: "shop.example" }, "url"],
    [{ email: "" }, "email"],
    [{ phone: 112 }, "phone"],
    [{ fax: "112" }, "fax"],
  ])("refuses %j for its %s, and changes nothing", async (body, field) => {
    const before = (await settings()).json;
    const { status, json } = await change("support", body);
    expect([status, json.error.code, json.error.fields[0].field]).toEqual([400, "validation_failed", field]);
    expect((await settings()).json).toEqual(before);
  });
});

describe("the picture", () => {
  it("is stripped, shown to payers, hidden in the audit log, and removed", async () => {
    const secret = pngChunk("tEXt", Buffer.from("position\0secret place"));
    const saved = await change("logo", { picture: base64(aPng(4, secret)) });
    expect([saved.status, saved.json.logo]).toEqual([200, `data:image/png;base64,${base64(aPng(4))}`]);
    const [line] = await auditLines("settings.logo");
    expect([line?.before, line?.after]).toEqual([{ logo: null }, { logo: `image/png, ${aPng(4).length} bytes` }]);
    expect(JSON.stringify(line)).not.toContain(base64(aPng(4)));
    expect((await change("logo", { picture: null })).json.logo).toBeNull();
    const [removed] = await auditLines("settings.logo");
    expect([removed?.before, removed?.after]).toEqual([{ logo: "[hidden]" }, { logo: null }]);
  });

  it.each([
    ["picture_not_image", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>")],
    ["picture_damaged", aPng(4).subarray(0, 40)],
    ["picture_too_large", Buffer.concat([aPng(4), Buffer.alloc(256 * 1024)])],
    ["picture_too_many_pixels", aPng(3000)],
  ])("refuses one that is %s by its content, whatever it is called", async (code, bytes) => {
    const { status, json } = await change("logo", { picture: base64(bytes) });
    expect([status, json.error.code]).toEqual([422, code]);
  });

  it("refuses a body that is larger than any picture", async () => {
    const { status, json } = await change("logo", { picture: "A".repeat(500_000) });
    expect([status, json.error.code]).toEqual([400, "malformed_json"]);
    expect((await settings()).json.logo).toBeNull();
  });
});

describe("the sites that may show the page", () => {
  it("are changed one by one after a step-up, and two people at once both have what they wanted", async () => {
    const plain = await signedIn(owner, false);
    const refused = await change("origin", { origin: "https://shop.example", allowed: true }, plain);
    expect([refused.status, refused.json.error.code]).toEqual([403, "step_up_required"]);
    const origins = ["https://shop.example", "https://www.shop.example:8443", "https://[2001:db8::1]"];
    const replies = await Promise.all(origins.map((origin) => change("origin", { origin, allowed: true })));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect([...(await settings()).json.origins].sort()).toEqual([...origins].sort());
    await change("origin", { origin: "https://shop.example", allowed: true });
    const removed = await change("origin", { origin: "https://shop.example", allowed: false });
    expect(removed.json.origins).not.toContain("https://shop.example");
    expect(await auditLines("settings.origins")).toHaveLength(4);
  });

  it.each([
    "shop.example",
    "https://shop.example/",
    "https://shop.example/path",
    "https://Shop.example",
    "https://*.shop.example",
    "https://shop.example;sandbox",
    "https://a'b.example",
    "https://user@shop.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "null",
    "*",
    "https://",
  ])("are not %s", async (origin) => {
    const { status, json } = await change("origin", { origin, allowed: true });
    expect([status, json.error.code]).toEqual([400, "validation_failed"]);
  });

  it("are at most fifty", async () => {
    for (let n = (await settings()).json.origins.length; n < 50; n += 1)
      expect((await change("origin", { origin: `https://s${n}.example`, allowed: true })).status).toBe(200);
    expect((await change("origin", { origin: "https://last.example", allowed: true })).status).toBe(400);
    expect((await settings()).json.origins).toHaveLength(50);
  });
});

describe("the attempts to pay", () => {
  it("are changed by owners and developers without a step-up, and written down once for each change", async () => {
    const asDeveloper = await signedIn(await aMember(db, merchantId, "developer"), false);
    for (const client of [asDeveloper, asOwner]) {
      const changed = await change("attempts", { payer_attempts: 3 }, client);
      expect([changed.status, changed.json.payer_attempts]).toEqual([200, 3]);
    }
    const lines = await auditLines("settings.attempts");
    expect(lines).toMatchObject([{ before: { payer_attempts: 5 }, after: { payer_attempts: 3 } }]);
    const asViewer = await signedIn(await aMember(db, merchantId, "viewer"));
    expect((await change("attempts", { payer_attempts: 1 }, asViewer)).status).toBe(403);
    expect((await settings()).json.payer_attempts).toBe(3);
  });

  it.each([0, 11, 2.5, "3", null, undefined])("are not %j", async (payer_attempts) => {
    const { status, json } = await change("attempts", { payer_attempts });
    expect([status, json.error.code]).toEqual([400, "validation_failed"]);
    expect((await settings()).json.payer_attempts).toBe(3);
  });
});

describe("the own profile", () => {
  it("has a name and a language, which every process knows at the next request", async () => {
    const changed = await asOwner.post("profile", { name: "Anna Petrova", language: "ru" });
    expect([changed.status, changed.json]).toEqual([200, {}]);
    expect((await asOwner.get("session")).json.person).toMatchObject({ name: "Anna Petrova", language: "ru" });
    expect((await asOwner.post("profile", { language: "en" })).status).toBe(200);
    expect((await asOwner.post("profile", { language: "en" })).status).toBe(200);
    const lines = await auditLines("person.profile");
    expect(lines.map(({ before, after }) => [before, after])).toEqual([
      [
        { name: "Anna Petrova", language: "ru" },
        { name: "Anna Petrova", language: "en" },
      ],
      [
        { name: "The owner", language: "en" },
        { name: "Anna Petrova", language: "ru" },
      ],
    ]);
    for (const body of [{ language: "de" }, { name: "" }, { email: "x@y.example" }])
      expect((await asOwner.post("profile", body)).status).toBe(400);
  });

  it("begins with the language that the invitation was read in", async () => {
    const { json } = await asOwner.post("team/invite", { email: "ru@shop.example", role: "viewer" });
    const token = new URL(json.link).hash.slice(1);
    const client = openAccountClient(service.url());
    const body = { token, name: "Ольга", password: "seven green bottles", language: "ru" };
    expect((await client.post("invitation/accept", body)).status).toBe(200);
    expect((await client.get("session")).json.person.language).toBe("ru");
  });
});

describe("full requisites", () => {
  const CARD: Requisites = {
    ...{ type: "card", value: "2200000000000004", holder: "OLGA S" },
    ...{ bank: "sberbank", bankName: "Sberbank" },
  };

  async function aPayinTo(requisites: Requisites): Promise<Id> {
    const { requestId } = await aPayin(db, ISSUED, { projectId });
    const sealed = sealRequisites(keyring, requestId, requisites);
    await db.run({ text: "update payments set requisites = $2 where request_id = $1", values: [requestId, sealed] });
    return requestId;
  }

  it("of a pay-in are shown after a step-up; each look is a line, and none without it", async () => {
    const requestId = await aPayinTo(CARD);
    const path = `payments/${requestId}/reveal`;
    expect((await asOwner.get(`payments/${requestId}`)).json.requisites.value).toBe("220000******0004");
    const plain = await signedIn(owner, false);
    expect((await plain.post(path)).json.error.code).toBe("step_up_required");
    expect(await auditLines("requisites.reveal")).toEqual([]);
    const shown = await asOwner.post(path);
    expect([shown.status, shown.json]).toEqual([
      200,
      { type: "card", value: CARD.value, holder: "OLGA S", bank: "Sberbank" },
    ]);
    expect(shown.headers["cache-control"]).toBe("no-store");
    await asOwner.post(path);
    const lines = await auditLines("requisites.reveal");
    expect(lines.map(({ subject, actor }) => [subject, actor.name])).toEqual([
      [requestId, owner.email],
      [requestId, owner.email],
    ]);
    expect(JSON.stringify(lines)).not.toContain(CARD.value);
    expect(service.logLines().join("\n")).not.toContain(CARD.value);
  });

  it("of a payout are its receiver's", async () => {
    const { requestId } = await aPayout(db, [], { projectId });
    const receiver = {
      type: "account",
      accountNumber: "40817810000000000001",
      bank: "sberbank",
      name: "Olga",
    } as const;
    const sealed = sealReceiver(keyring, requestId, receiver);
    await db.run({ text: "update payments set receiver = $2 where request_id = $1", values: [requestId, sealed] });
    expect((await asOwner.post(`payments/${requestId}/reveal`)).json).toEqual({
      ...{ type: "account", value: receiver.accountNumber, holder: "Olga", bank: "sberbank" },
    });
  });

  it("of a payer's card do not exist, and nothing is shown of a payment without any or with another key", async () => {
    const card = await aCardPayin(db, [], { projectId });
    const row = cardRowOf(keyring, card, "4242424242424242", newPageToken());
    await db.transaction((tx) => insertCardPayins(tx, [row], 600));
    const before = (await auditLines("requisites.reveal")).length;
    const masked = await asOwner.post(`payments/${card.requestId}/reveal`);
    expect([masked.status, masked.json.error.code]).toEqual([409, "only_mask_kept"]);
    const bare = await aPayin(db, [], { projectId });
    const foreignKey = await aPayout(db, [], { projectId });
    for (const { requestId } of [bare, foreignKey]) {
      const { status, json } = await asOwner.post(`payments/${requestId}/reveal`);
      expect([status, json.error.code]).toEqual([409, "wrong_state"]);
    }
    expect(await auditLines("requisites.reveal")).toHaveLength(before);
  });

  it("are not shown where the line of the audit log cannot be written", async () => {
    const requestId = await aPayinTo(CARD);
    await db.run({
      text: "alter table audit_log add constraint no_reveals check (action <> 'requisites.reveal') not valid",
    });
    try {
      const { status, json } = await asOwner.post(`payments/${requestId}/reveal`);
      expect(status).toBe(500);
      expect(JSON.stringify(json)).not.toContain(CARD.value);
    } finally {
      await db.run({ text: "alter table audit_log drop constraint no_reveals" });
    }
  });
});

describe("the preview's document", () => {
  it("may be shown by our own pages only, and asks for nothing", async () => {
    const answer = await fetch(`${service.url()}/account/preview`);
    const policy = answer.headers.get("content-security-policy") ?? "";
    expect(answer.status).toBe(200);
    expect(policy).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; form-action 'none'; base-uri 'none'; " +
        "frame-ancestors 'self'; require-trusted-types-for 'script'",
    );
    const files = [...(await answer.text()).matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, file]) => file);
    expect(files).toHaveLength(2);
    for (const file of files)
      expect((await fetch(new URL(file ?? "", `${service.url()}/account/preview`))).status).toBe(200);
  });
});
