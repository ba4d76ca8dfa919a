import { createHmac } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { Log } from "../../platform/log.ts";
import { openMailer } from "../../platform/mail.ts";
import { Secret } from "../../platform/secret.ts";
import { ACCEPT, type CallbackReceiver, HANG, openCallbackReceiver } from "../../testing/http/callback-receiver.ts";
import { openSmtpServer, type SmtpServer } from "../../testing/http/smtp-server.ts";
import { openEmailChannel, openWebhookChannel } from "./alert-channel.ts";
import { testMessage } from "./alert-message.ts";

const KEY = Buffer.alloc(32, "alert key ");
const NOW_MS = Date.UTC(2026, 0, 31, 10);
const message = testMessage({ id: "msg_1", serviceUrl: "https://pay.example.com", now: new Date(NOW_MS) });
let receiver: CallbackReceiver;
let smtp: SmtpServer;

beforeAll(async () => {
  receiver = await openCallbackReceiver();
  smtp = await openSmtpServer();
});
afterEach(() => receiver.answerWith(ACCEPT));
afterAll(() => Promise.all([receiver.close(), smtp.close()]));

function webhook(url = receiver.url, secret: Secret<Buffer> | undefined = new Secret(KEY)) {
  return openWebhookChannel({
    url: new Secret(`${url}/hook?token=t0ken`),
    secret,
    nowMs: () => NOW_MS,
    timeoutMs: 300,
  });
}

it("a webhook carries a text for chat tools, and is signed as Standard Webhooks are", async () => {
  expect(await webhook().send(message)).toBeUndefined();
  const [{ headers, rawBody, body } = never()] = receiver.received.slice(-1);
  expect(body).toMatchObject({ text: message.text, event: { id: "msg_1", type: "test" } });
  const signed = `msg_1.${NOW_MS / 1_000}.${rawBody.toString("utf8")}`;
  expect(headers).toMatchObject({
    "content-type": "application/json",
    "webhook-id": "msg_1",
    "webhook-timestamp": String(NOW_MS / 1_000),
    "webhook-signature": `v1,${createHmac("sha256", KEY).update(signed).digest("base64")}`,
  });
});

it("without a secret it is not signed", async () => {
  const channel = openWebhookChannel({ url: new Secret(receiver.url), secret: undefined, nowMs: () => NOW_MS });
  expect(await channel.send(message)).toBeUndefined();
  expect(receiver.received.at(-1)?.headers["webhook-signature"]).toBeUndefined();
});

it("says why it was not taken, without the address and its token", async () => {
  receiver.answerWith(() => ({ status: 500 }));
  expect(await webhook().send(message)).toBe("it answered 500");
  receiver.answerWith(() => ({ status: 302, headers: { location: "https://elsewhere.example" } }));
  expect(await webhook().send(message)).toBe("it answered 302");
  receiver.answerWith(HANG);
  expect(await webhook().send(message)).toBe("it did not answer in time");
  const gone = await openCallbackReceiver();
  await gone.close();
  expect(await webhook(gone.url).send(message)).toBe("no connection");
});

it("one e-mail goes to all addresses, and a refusal is told to the caller", async () => {
  const log = { warn: () => undefined } as unknown as Log;
  const mailer = openMailer({ url: new Secret(smtp.url), from: () => "pay@shop.example", log });
  const channel = openEmailChannel(mailer, ["a@ops.example", "b@ops.example"]);
  expect(await channel.send(message)).toBeUndefined();
  expect(smtp.mails.map(({ to }) => to.length)).toEqual([2]);
  expect(smtp.mails[0]?.data).toContain("Subject: Tillgate pay.example.com: test message");
  smtp.refuseNext("451 later");
  expect(await channel.send(message)).toBe("EMESSAGE");
  await mailer.close();
});

function never(): never {
  throw new Error("nothing arrived");
}
