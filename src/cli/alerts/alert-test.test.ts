import { expect, it } from "vitest";
import type { AlertChannel } from "../../app/alerts/alert-channel.ts";
import { recordingContext } from "../../testing/program/cli-context.ts";
import { EXIT } from "../kit/command.ts";
import { runCli } from "../kit/run.ts";

async function run(channels: readonly AlertChannel[]) {
  let closed = 0;
  const close = async () => {
    closed += 1;
  };
  const { context, printed, errors } = recordingContext({ openAlertChannels: async () => ({ channels, close }) });
  const exitCode = await runCli(context, ["alert", "test"]);
  expect(closed).toBe(1);
  return { exitCode, printed, errors };
}

it("sends to every channel, and says which did not take it", async () => {
  const texts: string[] = [];
  const email: AlertChannel = { name: "email", send: async ({ text }) => void texts.push(text) as undefined };
  const webhook: AlertChannel = { name: "webhook", send: async () => "it answered 404" };
  expect(await run([email])).toEqual({ exitCode: EXIT.done, printed: ["email: the message was taken."], errors: [] });
  expect(await run([webhook, email])).toEqual({
    exitCode: EXIT.refused,
    printed: ["email: the message was taken."],
    errors: ["webhook: the message was not taken: it answered 404."],
  });
  expect(texts.length).toBe(2);
  expect(texts[0]).toContain("test message");
});

it("says which settings are missing where there is no channel", async () => {
  const { exitCode, errors } = await run([]);
  expect(exitCode).toBe(EXIT.refused);
  expect(errors.join()).toContain("TILLGATE_ALERT_EMAIL");
});
