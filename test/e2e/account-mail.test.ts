import { afterAll, beforeAll, expect, it } from "vitest";
import type { Id } from "../../src/core/ids.ts";
import {
  aMember,
  openAccountClient,
  sessionOf,
  TEST_PASSWORD,
  type TestMember,
} from "../../src/testing/account-client.ts";
import { aProject } from "../../src/testing/builders/projects.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { openSmtpServer, type SmtpServer, type TakenMail } from "../../src/testing/http/smtp-server.ts";
import { startForTest, useTestService } from "../../src/testing/service/test-service.ts";

/** E-mail of the account, handed to a mail server over SMTP. */
const database = useTestDatabase();
const service = useTestService(database);
const { db } = database;

let smtp: SmtpServer;
const lines: string[] = [];
let url = "";
let stop: () => Promise<void> = async () => undefined;
let owner: TestMember;

beforeAll(async () => {
  smtp = await openSmtpServer();
  const env = {
    TILLGATE_DATA_DIR: service.stateDir,
    TILLGATE_SMTP_URL: smtp.url,
    TILLGATE_MAIL_FROM: "Pay@Shop.example",
  };
  const sibling = await startForTest(database.url, env, { role: "api", lines });
  ({ url, stop } = sibling);
  owner = await aMember(db, (await aProject(db)).merchantId, "owner");
});
afterAll(async () => {
  await stop();
  await smtp.close();
});

/** The text as a person reads it. */
function textOf({ data }: TakenMail): string {
  const [head = "", ...body] = data.split("\n\n");
  const text = body.join("\n\n");
  if (/^Content-Transfer-Encoding: base64$/im.test(head)) return Buffer.from(text, "base64").toString("utf8");
  const joined = text.replaceAll("=\n", "");
  return Buffer.from(
    joined.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  ).toString("utf8");
}

async function nextMailTo(to: string): Promise<TakenMail> {
  await expect.poll(() => smtp.mails.some((mail) => mail.to.includes(to)), { timeout: 30_000 }).toBe(true);
  return smtp.mails.find((mail) => mail.to.includes(to)) ?? expect.unreachable();
}

it("carries an invitation, whose link is then shown to no one else", { timeout: 60_000 }, async () => {
  const client = openAccountClient(url, (await sessionOf(db, owner, { steppedUp: true })).token);
  const invited = await client.post("team/invite", { email: "new@shop.example", role: "viewer" });
  expect([invited.status, Object.keys(invited.json)]).toEqual([200, ["id"]]);
  const mail = await nextMailTo("new@shop.example");
  expect([mail.from, mail.to]).toEqual(["pay@shop.example", ["new@shop.example"]]);
  const token = /\/account\/invitation#([A-Za-z0-9_-]{43})$/m.exec(textOf(mail))?.[1];
  const joined = await openAccountClient(url).post("invitation/accept", {
    token,
    name: "New",
    password: "seven green bottles",
  });
  expect(joined.status).toBe(200);
});

it("carries a password's reset, which works once and ends every session", { timeout: 60_000 }, async () => {
  const open = openAccountClient(url, (await sessionOf(db, owner)).token);
  const unknown = await openAccountClient(url).post("password/forgot", { email: "no-one@shop.example" });
  const known = await openAccountClient(url).post("password/forgot", { email: owner.email });
  expect([unknown.status, unknown.json]).toEqual([known.status, known.json]);
  const token = /\/account\/reset#([A-Za-z0-9_-]{43})$/m.exec(textOf(await nextMailTo(owner.email)))?.[1];
  const common = await openAccountClient(url).post("password/reset", { token, password: "password1234" });
  expect([common.status, common.json.error.code]).toEqual([422, "password_common"]);
  const body = { token, password: "four grey herons" };
  expect((await openAccountClient(url).post("password/reset", body)).status).toBe(200);
  expect((await openAccountClient(url).post("password/reset", body)).status).toBe(404);
  expect((await open.get("session")).status).toBe(401);
  expect(smtp.mails.some((mail) => mail.to.includes("no-one@shop.example"))).toBe(false);
});

it("tells a person of a new sign-in, in one line each", { timeout: 60_000 }, async () => {
  const member = await aMember(db, owner.merchantId, "viewer");
  await db.run({ text: "update people set language = 'ru' where id = $1", values: [member.personId] });
  const client = openAccountClient(url);
  const signed = await client.post(
    "sign-in",
    { email: member.email, password: TEST_PASSWORD },
    { "user-agent": "Evil\u0085Subject: x" },
  );
  expect(signed.status).toBe(200);
  const text = textOf(await nextMailTo(member.email));
  expect(text).toContain("В ваш кабинет вошли с адреса 127.0.0.1.");
  expect(text).toContain("Браузер: Evil");
});

it("leaves no token in the log", () => {
  const tokens = smtp.mails.flatMap((mail) => /#([A-Za-z0-9_-]{43})/.exec(textOf(mail))?.[1] ?? []);
  expect(tokens.length).toBeGreaterThanOrEqual(2);
  const log = lines.join("\n");
  expect(log).toContain("/account/api/password/forgot");
  for (const token of tokens) expect(log).not.toContain(token);
});

it("tells those who may approve payouts that some wait, and not their author", { timeout: 60_000 }, async () => {
  const project_id = service.sandbox().project_id;
  const [project] = await db.run<{ merchantId: Id }>({
    text: `select merchant_id as "merchantId" from projects where id = $1`,
    values: [project_id],
  });
  const merchantId = project?.merchantId as Id;
  const [author, approver, viewer] = [
    await aMember(db, merchantId, "accountant"),
    await aMember(db, merchantId, "owner"),
    await aMember(db, merchantId, "viewer"),
  ];
  await db.run({ text: "update people set language = 'ru' where email = $1", values: [approver.email] });
  const as = async (member: TestMember, at = url) =>
    openAccountClient(at, (await sessionOf(db, member, { steppedUp: true })).token);
  await (await as(approver)).post("payout-approval", { currency: "RUB", amount: 0 });
  const client = await as(author);
  const payout = { method: "card-p2p", currency: "RUB", amount: "12.50", pan: "4242424242424242" };
  // The process with the mail server has no sandbox, so the other one checks.
  const { id } = (await (await as(author, service.url())).post("payout-batches/check", { project_id, payout })).json;
  expect((await client.post(`payout-batches/${id}/confirm`)).json).toEqual({ state: "awaiting_approval" });
  const text = textOf(await nextMailTo(approver.email));
  expect(text).toContain(`12.50 RUB`);
  expect(text).toContain(`/account/pay-out/${id}`);
  expect(text).toContain("одобрите");
  expect(smtp.mails.filter(({ to }) => to.includes(author.email) || to.includes(viewer.email))).toEqual([]);
});
