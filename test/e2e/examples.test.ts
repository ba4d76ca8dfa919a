import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTillgate, credentialsFromSandboxFile } from "../../sdk/src/index.ts";
import { callbackBody, callbackHeaders, webhookHeaders } from "../../sdk/test/reference.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { openCallbackReceiver } from "../../src/testing/http/callback-receiver.ts";
import { longIt, shortIt, sizeOf } from "../../src/testing/run/run-form.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { type CommandLine, EXAMPLE_LANGUAGES, missingPrograms } from "./example-languages.ts";

/** The examples in each language that this machine has: programs that share no line with the service or with the SDK. */
const service = useTestService(useTestDatabase());
const VECTORS = fileURLToPath(new URL("../../docs/signing-vectors.json", import.meta.url));
type Vector = { readonly name: string; readonly scheme: number; readonly valid: boolean };
const file = JSON.parse(readFileSync(VECTORS, "utf8")) as { vectors: Vector[] };
const directory = mkdtempSync(join(tmpdir(), "tillgate-examples-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** `npm test` runs all of this one, and the vectors of others that need no compiler. The stress run has the rest. */
const RUN_IN_FULL = "Python";
const isCompiledToo = sizeOf({ short: false, long: true });
const inThisRun = EXAMPLE_LANGUAGES.filter(({ isCompiled }) => isCompiledToo || !isCompiled);
const present = inThisRun.filter((language) => missingPrograms(language).length === 0);
const absent = inThisRun
  .filter((language) => !present.includes(language))
  .map((language) => `${language.name} (there is no ${missingPrograms(language).join(" and no ")})`);
const names = (languages: readonly { name: string }[]) => languages.map(({ name }) => name).join(", ");
process.stderr.write(
  `\nexamples: run in ${names(present)}.` +
    (absent.length > 0 ? ` SKIPPED: ${absent.join(", ")}.` : "") +
    (isCompiledToo ? "" : ` By npm run test:stress: all of those but ${RUN_IN_FULL}, and what is compiled.`) +
    "\n\n",
);

type Outcome = { readonly code: number | null; readonly stdout: string; readonly stderr: string };
type Message = { readonly headers: Readonly<Record<string, string>>; readonly rawBody: string };

const messageOf = ({ headers, rawBody }: Message) =>
  `${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\r\n")}\r\n\r\n${rawBody}`;

const nowS = () => Math.floor(Date.now() / 1_000);

/** A callback as the service sends one for the sandbox's project, and how it is signed. */
function ownCallback(changes: Record<string, unknown> = {}): string {
  return JSON.stringify(callbackBody({ project_id: service.sandbox().project_id, ...changes }));
}
const byWebhook = (rawBody: string, timestamp = nowS()): Message => ({
  headers: webhookHeaders(rawBody, timestamp, service.sandbox().webhook_secret),
  rawBody,
});
const byHmac = (rawBody: string, timestamp = nowS()): Message => ({
  headers: callbackHeaders(rawBody, timestamp, { kind: "hmac", secret: service.sandbox().callback_hmac_secret ?? "" }),
  rawBody,
});

/**
 * A shell starts several processes for a vector. In `npm test` it gets each case once, signed by RSA and by HMAC in turn, and in
 * the stress run by both.
 */
function vectorsFor(language: string): readonly Vector[] {
  if (language !== "shell" || sizeOf({ short: false, long: true })) return file.vectors;
  const cases = new Map<string, Vector[]>();
  for (const vector of file.vectors) {
    const name = `${vector.scheme} ${vector.name}`;
    cases.set(name, [...(cases.get(name) ?? []), vector]);
  }
  return [...cases.values()].flatMap((signed, at) => signed[at % signed.length] ?? []);
}

describe.each(present)("the example in $name", ({ name, isCompiled, prepare }) => {
  const its = name === RUN_IN_FULL ? shortIt : longIt;
  const itsVectors = isCompiled ? longIt : name === "shell" ? it : shortIt;
  let commandLine: CommandLine;
  beforeAll(
    async () => {
      commandLine = await prepare(mkdtempSync(join(directory, "language-")));
    },
    // The first compilation of a machine builds the language's own library too.
    600_000,
  );

  async function run(words: readonly string[], env: Record<string, string> = {}, input = ""): Promise<Outcome> {
    const [program, ...first] = commandLine;
    const child = spawn(program, [...first, ...words], {
      env: { ...process.env, TILLGATE_SANDBOX: join(service.stateDir, "sandbox.json"), ...env },
    });
    child.stdin.end(input);
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    return { code: child.exitCode, stdout, stderr };
  }
  const verify = (key: string, message: Message) => run(["verify", key], {}, messageOf(message));

  itsVectors("reproduces every vector", async () => {
    const vectors = vectorsFor(name);
    const path = join(directory, `${name}.json`);
    writeFileSync(path, JSON.stringify({ ...file, vectors }));
    const accepted = vectors.filter(({ valid }) => valid).length;
    const said = `${vectors.length} vectors: ${accepted} accepted, ${vectors.length - accepted} refused, 0 wrong\n`;
    expect(await run(["vectors", path])).toEqual({ code: 0, stdout: said, stderr: "" });
  });

  its("finds what is wrong in a file of vectors", async () => {
    const [first, second, third, fourth] = JSON.parse(readFileSync(VECTORS, "utf8")).vectors;
    const broken = [{ ...first, valid: false }, { ...second, message: `${second.message}0` }, third, fourth];
    const path = join(directory, "broken.json");
    writeFileSync(path, JSON.stringify({ ...file, vectors: broken }));
    const { code, stdout, stderr } = await run(["vectors", path]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "4 vectors: 3 accepted, 1 refused, 2 wrong\n" });
    expect(stderr.match(/^WRONG /gm)).toHaveLength(2);
  });

  its.each(["RSA-SHA256", "HMAC-SHA512", "RSA-SHA256-V2", "HMAC-SHA512-V2"])("calls with %s", async (algorithm) => {
    const { code, stdout } = await run(["call", "/api/v1/balance/info"], { TILLGATE_ALGORITHM: algorithm });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).balance).toHaveLength(8);
    const refused = await run(["call", "/api/v1/bank/all", '{ "général": [1, "é", null] }'], {
      TILLGATE_ALGORITHM: algorithm,
    });
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({ code: "validation_failed" });
  });

  its("completes a pay-in", async () => {
    const { code, stdout, stderr } = await run(["payin"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [asked = "", paid = ""] = stdout.split("\n");
    expect(asked).toMatch(/^The payer sends 250000 to \d{16}$/);
    const [, paymentId = ""] = /^Pay-in (\S+): success, and 243750 of it is ours$/.exec(paid) ?? [];
    const credentials = credentialsFromSandboxFile(service.sandbox());
    const { p2p } = createTillgate({ baseUrl: service.url(), credentials });
    expect(await p2p.payin.info(paymentId)).toMatchObject({
      status: "success",
      payment: { received_amount: 250000 },
    });
  });

  its("verifies callbacks of the service", async () => {
    const shop = await openCallbackReceiver();
    const { p2p } = createTillgate({
      baseUrl: service.url(),
      credentials: credentialsFromSandboxFile(service.sandbox()),
    });
    const paymentId = `verified ${name}: é, 😀`;
    await p2p.payin.create({
      general: { payment_id: paymentId, merchant_callback_url: shop.url },
      payment: { method: "card-p2p", amount: 250001, currency: "RUB" },
      customer: { id: "customer-1", ip_address: "192.0.2.1" },
    });
    await expect.poll(() => shop.received.at(-1)?.body.status.status).toBe("success");
    const { 0: first, [shop.received.length - 1]: last } = shop.received;
    for (const received of [first, last]) {
      if (received === undefined) throw new Error("no callback came");
      const { headers, rawBody, body } = received;
      const message = { headers: headers as Record<string, string>, rawBody: rawBody.toString() };
      const said = { code: 0, stdout: `Verified: ${paymentId} ${body.status.status}\n`, stderr: "" };
      expect(await verify("webhook", message)).toEqual(said);
      expect(await verify("rsa", message)).toEqual(said);
      expect(await verify("hmac", message)).toMatchObject({ code: 1, stdout: "" });
      const forged = { ...message, rawBody: message.rawBody.replace("250001", "250002") };
      expect(await verify("webhook", forged)).toMatchObject({ code: 1, stdout: "" });
      expect(await verify("rsa", forged)).toMatchObject({ code: 1, stdout: "" });
    }
    await shop.close();
  });

  its("verifies callbacks signed with a project's secret, and by either key while it is being replaced", async () => {
    const signed = byHmac(ownCallback());
    const other = callbackHeaders(signed.rawBody, nowS(), { kind: "hmac", secret: "the other" })["x-access-signature"];
    const next = { "x-access-signature": other ?? "", "x-access-signature-next": signed.headers["x-access-signature"] };
    const twoEntries = byWebhook(ownCallback());
    const { "webhook-signature": entry = "" } = twoEntries.headers;
    const inReplacement = { ...twoEntries.headers, "webhook-signature": `v1,AAAA ${entry}` };
    for (const outcome of [
      await verify("hmac", signed),
      await verify("hmac", { ...signed, headers: { ...signed.headers, ...next } as Record<string, string> }),
      await verify("webhook", { ...twoEntries, headers: inReplacement }),
    ])
      expect(outcome).toEqual({ code: 0, stdout: "Verified: ord-771 processing\n", stderr: "" });
  });

  its("refuses callbacks that are old, doubled, malformed, of another project or of two readings", async () => {
    const good = byHmac(ownCallback());
    const { "x-access-signature": signature = "" } = good.headers;
    const withSignature = (changed: string) => ({
      ...good,
      headers: { ...good.headers, "x-access-signature": changed },
    });
    const cases: readonly (readonly [key: string, message: Message, reason: RegExp])[] = [
      ["hmac", byHmac(ownCallback(), nowS() - 310), /300 s away/],
      ["hmac", byHmac(ownCallback(), nowS() + 310), /300 s away/],
      ["webhook", byWebhook(ownCallback(), nowS() - 310), /300 s away/],
      ["webhook", { ...good, rawBody: ownCallback() }, /missing|timestamp is not/],
      ["hmac", withSignature(`${signature}==`), /not base64url/],
      ["hmac", withSignature(signature.replace(/.$/, "+")), /not base64url/],
      ["hmac", withSignature(`${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`), /no signature fits/],
      ["hmac", { ...good, headers: { ...good.headers, "X-Access-Signature": signature } }, /twice/],
      ["hmac", byHmac(JSON.stringify(callbackBody({ project_id: "another" }))), /another project/],
      ["hmac", byHmac(ownCallback({ general: { payment_id: "x;status:y" } })), /further members|more than one body/],
      ["hmac", byHmac(ownCallback({ "a:b": "c" })), /plain word|more than one body/],
      ["hmac", byHmac(ownCallback({ status: { status: "None" } })), /null|more than one body/],
      ["hmac", { ...good, rawBody: good.rawBody.slice(0, -1) }, /not JSON/],
      ["hmac", { ...good, rawBody: good.rawBody.replace("250000", "2.5e5") }, /whole number|not whole/],
      ["sha1", good, /KEY is webhook, rsa or hmac/],
    ];
    for (const [key, message, reason] of cases) {
      const { code, stdout, stderr } = await verify(key, message);
      expect({ code, stdout, message }).toEqual({ code: 1, stdout: "", message });
      expect(stderr).toMatch(/^Refused: .+\n$/);
      expect(stderr).toMatch(reason);
    }
  });
});
