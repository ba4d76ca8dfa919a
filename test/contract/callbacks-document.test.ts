import { execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, describe, expect, it, vi } from "vitest";
import { normalise } from "../../sdk/src/index.ts";
import { callbackBody, callbackHeaders, newRsaPair, webhookHeaders } from "../../sdk/test/reference.ts";
import { CALLBACK_DELAYS_S, CALLBACK_SPAN_S, FINAL_WAITS_MAX_S } from "../../src/core/callbacks/schedule.ts";
import { EGRESS_LIMITS } from "../../src/platform/http-out/limits.ts";
import { readDocument } from "./document-commands.ts";

/** What docs/callbacks.md says is so: its figures are those of the code, and its programs are run. */
const document = readDocument("docs/callbacks.md");
const blocks = (language: string) =>
  [...document.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(([, text]) => text ?? "");
const home = mkdtempSync(join(tmpdir(), "tillgate-callbacks-"));
afterAll(() => rmSync(home, { recursive: true }));

const pair = newRsaPair();
const secret = `whsec_${Buffer.from("a secret that only tests ever use").toString("base64")}`;
const rawBody = JSON.stringify(callbackBody({ project_id: "проект", note: "a+b/c=d" }));
const timestamp = Math.floor(Date.now() / 1000);

it("tells the waits of the schedule", () => {
  const [, row = ""] = /^\| wait \|(.*)\|$/m.exec(document) ?? [];
  const seconds = { s: 1, min: 60, h: 3600 } as const;
  const cells = row.split("|");
  expect(cells.pop()).toBe(` the rest of ${CALLBACK_SPAN_S / 3600} h `);
  const waits = cells.map((cell) => {
    const [, count, unit] = /^ (\d+) (s|min|h)(?: each)? $/.exec(cell) ?? [];
    return Number(count) * seconds[unit as keyof typeof seconds];
  });
  const known = [...waits, ...Array.from({ length: 3 }, () => waits.at(-1) ?? 0)];
  const told = [...known, CALLBACK_SPAN_S - known.reduce((sum, wait) => sum + wait, 0)];
  expect(document).toContain("| 10 to 13 | 14 |");
  expect(told).toEqual(CALLBACK_DELAYS_S);
});

it("tells the other figures of the code, and the operator's document its own", () => {
  expect(document).toContain(`within ${EGRESS_LIMITS.totalTimeoutMs / 1000} seconds`);
  expect(document).toContain(`only ${FINAL_WAITS_MAX_S / 60} minutes`);
  const hours = CALLBACK_SPAN_S / 3600;
  expect(readDocument("docs/openapi.yaml")).toContain(`until ${hours} hours after the first attempt`);
  expect(readDocument("docs/operations.md")).toContain(
    `after ${CALLBACK_DELAYS_S.length + 1} attempts over some ${hours} hours`,
  );
});

describe("the server of the document", () => {
  it("takes each event once and in order, and refuses a forged one", async () => {
    vi.stubEnv("TILLGATE_WEBHOOK_SECRET", secret).stubEnv("PORT", "0");
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    const source = fileURLToPath(new URL("../../sdk/src/index.ts", import.meta.url));
    const file = join(home, "server.mjs");
    writeFileSync(file, (blocks("js")[0] ?? "").replaceAll('"@tillgate/sdk"', JSON.stringify(source)));
    const { server } = (await import(pathToFileURL(file).href)) as { server: Server };
    if (!server.listening) await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const tell = async (id: string, sequence: number, status: string, forged = false) => {
      const event = { id, sequence, created_at: "2026-01-31T10:00:00.000Z" };
      const state = { status, sub_status: null, status_description: null, decline_code: null };
      const body = JSON.stringify(callbackBody({ event, status: state }));
      const headers = webhookHeaders(forged ? `${body} ` : body, timestamp, secret, id);
      return (await fetch(url, { method: "POST", headers, body })).status;
    };
    expect(await tell("e-1", 3, "processing")).toBe(204);
    expect(await tell("e-1", 3, "processing")).toBe(204);
    expect(await tell("e-3", 5, "success")).toBe(204);
    expect(await tell("e-2", 4, "processing")).toBe(204);
    expect(await tell("e-4", 6, "decline", true)).toBe(400);
    expect(log.mock.calls).toEqual([
      ["ord-771", "processing", false],
      ["ord-771", "success", true],
    ]);
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    server.close();
    server.closeAllConnections();
  });
});

function isThere(program: string): boolean {
  try {
    execFileSync(program, ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const withOpenssl = isThere("openssl");
if (!withOpenssl) {
  process.stderr.write("\nSKIPPED: the openssl lines of docs/callbacks.md need openssl, which this machine lacks.\n\n");
}

describe.skipIf(!withOpenssl)("the openssl lines of the document", () => {
  const [webhookLines = "", accessLines = ""] = blocks("sh").filter((block) => block.includes("openssl"));

  function run(lines: string, env: Record<string, string | undefined>): string {
    return execFileSync("sh", ["-c", lines], {
      cwd: home,
      env: { PATH: process.env.PATH, ...env },
      stdio: "pipe",
    }).toString();
  }

  it("make the webhook signature", () => {
    writeFileSync(join(home, "body.json"), rawBody);
    const headers = webhookHeaders(rawBody, timestamp, secret, "evt-1");
    const env = { WEBHOOK_SECRET: secret, WEBHOOK_ID: "evt-1", WEBHOOK_TIMESTAMP: String(timestamp) };
    expect(`v1,${run(webhookLines, env)}`).toBe(headers["webhook-signature"]);
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    const other = createHmac("sha256", key).update(`evt-2.${timestamp}.${rawBody}`).digest("base64");
    expect(run(webhookLines, { ...env, WEBHOOK_ID: "evt-2" })).toBe(other);
  });

  it("verify the signature by scheme 1, and refuse a changed one", () => {
    const headers = callbackHeaders(rawBody, timestamp, { kind: "rsa", privateKeyPem: pair.privateKeyPem });
    writeFileSync(join(home, "service.pem"), pair.publicKeyPem);
    writeFileSync(join(home, "normalised.txt"), normalise(JSON.parse(rawBody)));
    const env = { X_ACCESS_TIMESTAMP: String(timestamp), X_ACCESS_SIGNATURE: headers["x-access-signature"] };
    expect(run(accessLines, env)).toBe("Verified OK\n");
    expect(() => run(accessLines, { ...env, X_ACCESS_TIMESTAMP: String(timestamp + 1) })).toThrow();
  });
});
