import { expect, it } from "vitest";
import { loadConfig } from "./config.ts";

const SECRET = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;

function faultsOf(env: Record<string, string>): readonly string[] {
  const config = loadConfig(env, "/");
  return config.ok ? [] : config.error;
}

it("reads where messages about attention go, and hides the address and its secret", () => {
  const config = loadConfig(
    {
      TILLGATE_SMTP_URL: "smtp://127.0.0.1",
      TILLGATE_ALERT_EMAIL: " a@ops.example, b@ops.example,",
      TILLGATE_ALERT_WEBHOOK_URL: "http://chat.internal:8065/hooks/t0ken",
      TILLGATE_ALERT_WEBHOOK_SECRET: SECRET,
    },
    "/",
  );
  if (!config.ok) throw new Error(config.error.join("\n"));
  const { emails, webhookUrl, webhookSecret } = config.value.alerts;
  expect(emails).toEqual(["a@ops.example", "b@ops.example"]);
  expect(webhookUrl?.reveal()).toBe("http://chat.internal:8065/hooks/t0ken");
  expect(webhookSecret?.reveal()).toEqual(Buffer.alloc(24, 7));
  expect(JSON.stringify(config)).not.toMatch(/t0ken|whsec/);
});

it.each([
  [{ TILLGATE_ALERT_EMAIL: "a@ops.example" }, "TILLGATE_ALERT_EMAIL needs TILLGATE_SMTP_URL"],
  [{ TILLGATE_SMTP_URL: "smtp://h", TILLGATE_ALERT_EMAIL: "nobody" }, "TILLGATE_ALERT_EMAIL must list"],
  [{ TILLGATE_ALERT_WEBHOOK_SECRET: SECRET }, "TILLGATE_ALERT_WEBHOOK_SECRET needs TILLGATE_ALERT_WEBHOOK_URL"],
  [{ TILLGATE_ALERT_WEBHOOK_URL: "ftp://t0ken@x" }, "TILLGATE_ALERT_WEBHOOK_URL must be an https or http address"],
  [
    { TILLGATE_ALERT_WEBHOOK_URL: "https://x.example", TILLGATE_ALERT_WEBHOOK_SECRET: "t0ken" },
    "TILLGATE_ALERT_WEBHOOK_SECRET must be whsec_",
  ],
])("refuses %j", (env, sentence) => {
  const faults = faultsOf(env);
  expect(faults).toEqual([expect.stringContaining(sentence)]);
  expect(faults.join()).not.toContain("t0ken");
});
