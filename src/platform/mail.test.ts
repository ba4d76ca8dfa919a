import { afterAll, beforeAll, expect, it } from "vitest";
import { openSmtpServer, type SmtpServer } from "../testing/http/smtp-server.ts";
import type { Log } from "./log.ts";
import { openMailer } from "./mail.ts";
import { Secret } from "./secret.ts";

let smtp: SmtpServer;
beforeAll(async () => {
  smtp = await openSmtpServer();
});
afterAll(() => smtp.close());

function aMailer(retryAfterMs: readonly number[], url = smtp.url) {
  const warnings: object[] = [];
  const log = { warn: (fields: object) => warnings.push(fields) } as unknown as Log;
  const mailer = openMailer({ url: new Secret(url), from: () => "pay@shop.example", log, retryAfterMs });
  const send = (to: string) => mailer.send({ to, subject: "x", text: "y" });
  const taken = (to: string) => smtp.mails.filter((mail) => mail.to.includes(to)).length;
  return { mailer, send, taken, warnings };
}

it("tries again what the server cannot take now, and sends it once", async () => {
  const { mailer, send, taken, warnings } = aMailer([1, 1]);
  smtp.refuseNext("451 later", "421 later still");
  send("a@shop.example");
  await expect.poll(() => taken("a@shop.example")).toBe(1);
  await mailer.close();
  expect(warnings).toEqual([]);
});

it("gives up after the last try, and at once what the server refuses permanently", async () => {
  const { mailer, send, taken, warnings } = aMailer([1]);
  smtp.refuseNext("451 later", "451 later");
  send("b@shop.example");
  await expect.poll(() => warnings).toEqual([{ reason: "EMESSAGE", attempts: 2 }]);
  smtp.refuseNext("554 never");
  send("b@shop.example");
  await expect.poll(() => warnings.slice(1)).toEqual([{ reason: "EMESSAGE", attempts: 1 }]);
  expect(taken("b@shop.example")).toBe(0);
  await mailer.close();
});

it("tries again where no server listens, and does not wait for that when it is closed", async () => {
  const gone = await openSmtpServer();
  await gone.close();
  const { mailer, send, warnings } = aMailer([1, 600_000], gone.url);
  send("c@shop.example");
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(warnings).toEqual([]);
  await mailer.close();
  expect(warnings).toEqual([expect.objectContaining({ attempts: expect.any(Number) })]);
});
