import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadConfig } from "./config.ts";

const KEY = "ab".repeat(32);
const OLD_KEY = "cd".repeat(32);
const URL = "postgresql://u:hunter2@db/tillgate";
const SECRETS = [
  "DATABASE_URL",
  "DATABASE_DIRECT_URL",
  "TILLGATE_READ_DATABASE_URL",
  "TILLGATE_SANDBOX_DATABASE_URL",
  "TILLGATE_MASTER_KEY",
  "TILLGATE_MASTER_KEY_PREVIOUS",
  "TILLGATE_SMTP_URL",
  "TILLGATE_ALERT_WEBHOOK_URL",
  "TILLGATE_ALERT_WEBHOOK_SECRET",
];

let directory = "";
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "tillgate-secrets-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function file(name: string, content: string): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

function faultsOf(env: Record<string, string>): readonly string[] {
  const config = loadConfig(env, directory);
  return config.ok ? [] : config.error;
}

describe("secrets by file", () => {
  it("are read without the line break that ends the file, and are as hidden as others", () => {
    file("old-key", OLD_KEY);
    const config = loadConfig(
      {
        TILLGATE_MODE: "production",
        TILLGATE_PUBLIC_URL: "https://pay.example.com",
        TILLGATE_TRUSTED_PROXIES: "10.0.0.0/8",
        DATABASE_URL_FILE: file("url", `${URL}\n`),
        TILLGATE_SANDBOX_DATABASE_URL_FILE: file("sandbox-url", `${URL}_sandbox`),
        TILLGATE_MASTER_KEY_FILE: file("key", `${KEY}\r\n`),
        // Found where the settings' other paths are.
        TILLGATE_MASTER_KEY_PREVIOUS_FILE: "old-key",
      },
      directory,
    );
    if (!config.ok) throw new Error(config.error.join("\n"));
    expect(config.value.databaseUrl?.reveal()).toBe(URL);
    expect(config.value.sandboxDatabaseUrl?.reveal()).toBe(`${URL}_sandbox`);
    expect(config.value.masterKey?.reveal().toString("hex")).toBe(KEY);
    expect(config.value.previousMasterKey?.reveal().toString("hex")).toBe(OLD_KEY);
    expect(JSON.stringify(config)).not.toMatch(new RegExp(`${KEY}|${OLD_KEY}|hunter2`));
  });

  it("are all named when production lacks them", () => {
    const faults = faultsOf({ TILLGATE_MODE: "production" }).join("\n");
    expect(faults).toContain("DATABASE_URL_FILE");
    expect(faults).toContain("TILLGATE_MASTER_KEY_FILE");
  });

  it("that cannot be read are listed together, without path or content", () => {
    const faults = faultsOf({
      DATABASE_URL_FILE: file("wrong-url", "mysql://u:hunter2@db/x"),
      TILLGATE_SANDBOX_DATABASE_URL_FILE: directory,
      // A person mistook it for the setting itself.
      TILLGATE_MASTER_KEY_FILE: KEY,
      TILLGATE_MASTER_KEY_PREVIOUS_FILE: file("empty", "\n"),
      PORT: "80a",
    });
    expect(faults).toEqual([
      expect.stringMatching(/^PORT /),
      "The file in DATABASE_URL_FILE must begin with postgresql://",
      "The file in TILLGATE_SANDBOX_DATABASE_URL_FILE is not a regular file",
      "The file in TILLGATE_MASTER_KEY_FILE is not there",
      "The file in TILLGATE_MASTER_KEY_PREVIOUS_FILE is empty",
    ]);
  });

  it("of a size that no secret has are not read", () => {
    expect(faultsOf({ TILLGATE_MASTER_KEY_FILE: file("large", KEY.repeat(300)) })).toEqual([
      "The file in TILLGATE_MASTER_KEY_FILE holds more than 16384 bytes",
    ]);
  });

  it.each(SECRETS)("are refused when %s is set too, even to the same", (name) => {
    const value = name.endsWith("URL") ? URL : KEY;
    const faults = faultsOf({ [name]: value, [`${name}_FILE`]: file("same", value) });
    expect(faults).toEqual([`${name} and ${name}_FILE are both set: keep one of them`]);
  });
});
