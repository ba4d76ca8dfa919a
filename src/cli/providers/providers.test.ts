import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { rsaToken } from "../../app/merchants/api-keys.ts";
import { loadDirectory } from "../../app/merchants/directory.ts";
import { openApplyPayments } from "../../app/payments/apply-payments.ts";
import { openCreatePayments } from "../../app/payments/create-payments.ts";
import { openLog } from "../../platform/log.ts";
import { aNewPayin } from "../../testing/builders/new-payments.ts";
import { aProject, testKeyring } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { openCommandLine, outcomesOf } from "../../testing/program/command-line.ts";
import { EXIT } from "../kit/command.ts";

const { db } = useTestDatabase();
const keyring = testKeyring();
const folder = mkdtempSync(join(tmpdir(), "tillgate-providers-"));
afterAll(() => rmSync(folder, { recursive: true }));

let stdin = "";
const context = { openKeyring: async () => keyring, readInput: async () => stdin };
const tillgate = openCommandLine(db, undefined, context);
const { print, json, refusal } = outcomesOf(tillgate);

/** Writes what an operator has in a file. */
function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const SECRET = "sk_0123456789abcdef0123456789abcdef";
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const privatePem = rsa.privateKey.export({ type: "pkcs1", format: "pem" }).toString();
const publicPem = rsa.publicKey.export({ type: "spki", format: "pem" }).toString();
const keyFile = file("call.pem", privatePem);
const publicFile = file("callback.pem", publicPem);
const secretFile = file("secret.txt", `${SECRET}\n`);

const IDS = ["--merchant-id", "m-1", "--project-id", "p-1"];
const BASE = ["--kind", "upstream", "--base-url", "https://pay.acme.example", ...IDS];

let count = 0;
let name = "";
beforeEach(() => {
  count += 1;
  name = `acme-${count}`;
});

const add = (...more: string[]) => json("provider", "add", name, ...BASE, "--key", keyFile, ...more);

async function openKeysOf(code: string) {
  const log = openLog({ level: "silent", destination: { write: () => undefined } });
  const { configuredProviders } = await loadDirectory(db, keyring, log, undefined);
  return configuredProviders.find((provider) => provider.code === code)?.keys ?? [];
}

describe("provider add", () => {
  it("stores the provider, and its keys sealed", async () => {
    const added = await add(
      "--callback-key",
      publicFile,
      "--serves",
      "payin:card-p2p,payout:card-p2p",
      "--scheme",
      "1",
    );
    expect(added).toMatchObject({ provider: name, kind: "upstream", books: ["live"], state: "active" });
    expect(added).toMatchObject({
      merchant_id: "m-1",
      project_id: "p-1",
      scheme: 1,
      needs_holder: true,
      test_cards: false,
      timeout_ms: 10_000,
    });
    expect(added).toMatchObject({
      base_url: "https://pay.acme.example",
      serves: ["payin:card-p2p", "payout:card-p2p"],
    });
    const [call, callback] = await openKeysOf(name);
    const token = rsaToken(createPublicKey(publicPem));
    expect([call?.purpose, call?.kind, call?.token]).toEqual(["call", "rsa", token]);
    expect(createPublicKey(call?.secret?.reveal() ?? "")).toEqual(createPublicKey(publicPem));
    expect([callback?.purpose, callback?.token, callback?.secret]).toEqual(["callback", token, undefined]);
    const stored = await db.run<{ text: string }>({
      text: "select encode(secret, 'escape') as text from provider_keys where provider = $1 and secret is not null",
      values: [name],
    });
    expect(stored).toHaveLength(1);
    expect(stored[0]?.text).not.toContain("PRIVATE");
  });

  it("takes an HMAC key from the standard input, with its id", async () => {
    stdin = `${SECRET}\n`;
    await json("provider", "add", name, ...BASE, "--key", "-", "--key-id", "ak_1");
    const [call] = await openKeysOf(name);
    expect([call?.kind, call?.token, call?.secret?.reveal().toString()]).toEqual(["hmac", "ak_1", SECRET]);
  });

  it("never shows a secret", async () => {
    const printed = await print("provider", "add", name, ...BASE, "--key", secretFile, "--key-id", "ak_1");
    const shown = [
      printed,
      await print("provider", "show", name),
      JSON.stringify(await json("provider", "show", name)),
    ];
    for (const text of shown) expect(text).not.toContain(SECRET.slice(3));
    expect(printed).toContain(`https://pay.example.com/provider/${name}/callback`);
  });

  it("refuses a name that is taken, retired or not", async () => {
    await add();
    const again = ["provider", "add", name, ...BASE, "--key", keyFile];
    const sentence = `There is a provider ${name} already, or there was one: a name is never used again. Nothing was changed.`;
    expect(await refusal(...again)).toBe(sentence);
    await print("provider", "retire", name);
    expect(await refusal(...again)).toBe(sentence);
  });
});

describe("a key that does not fit is refused with a sentence that does not repeat it", () => {
  const small = generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey;
  const curve = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  const pem = (key: typeof small) => key.export({ type: "pkcs8", format: "pem" }).toString();
  const locked = rsa.privateKey
    .export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" })
    .toString();
  const visible = "A secret must not stand on the command line itself, where other users of the machine can see it.";

  it.each([
    ["a secret as a word", ["--key", SECRET, "--key-id", "a"], `and this file is not there. ${visible}`],
    ["PEM as a word", [`--key=${privatePem}`], `and this file is not there. ${visible}`],
    ["a small key", ["--key", file("small.pem", pem(small))], "--key must hold an RSA key of 2048 to 4096 bits."],
    ["another curve", ["--key", file("curve.pem", pem(curve))], "--key must hold an RSA key."],
    ["an encrypted key", ["--key", file("locked.pem", locked)], "--key holds an encrypted key."],
    ["a public key", ["--key", publicFile], "--key holds a public key."],
    [
      "a broken key",
      ["--key", file("bad.pem", "-----BEGIN PRIVATE KEY-----\nAAAA\n")],
      "--key holds a key in PEM that cannot be read.",
    ],
    [
      "a secret without its id",
      ["--key", secretFile],
      "--key holds the secret of an HMAC key: give its id with --key-id",
    ],
    ["an id too many", ["--key", keyFile, "--key-id", "a"], "--key holds an RSA key, which needs no --key-id."],
    [
      "a short secret",
      ["--key", file("s", "short"), "--key-id", "a"],
      "--key must hold a key in PEM, or a secret of 16",
    ],
    [
      "two words",
      ["--key", file("two", `${SECRET} x`), "--key-id", "a"],
      "--key must hold a key in PEM, or a secret of 16",
    ],
    ["an empty file", ["--key", file("empty", "\n")], "and this file is empty."],
    [
      "a secret of the other signature",
      ["--key", keyFile, "--callback-key", file("whsec", "whsec_MDEyMzQ1Njc4OWFiY2RlZg==")],
      "--callback-key holds a secret of Standard Webhooks (whsec_…).",
    ],
    ["a private callback key", ["--key", keyFile, "--callback-key", keyFile], "--callback-key holds a private key."],
  ])("%s", async (_what, words, sentence) => {
    const before = await db.run({ text: "select from providers" });
    const errors = await refusal("provider", "add", name, ...BASE, ...words);
    expect(errors).toContain(sentence);
    expect(errors).not.toContain(SECRET.slice(3));
    expect(errors).not.toContain(privatePem.slice(40, 80));
    expect(await db.run({ text: "select from providers" })).toHaveLength(before.length);
  });
});

describe("a provider", () => {
  it("is listed beside those of the program, with its state", async () => {
    await add("--book", "test");
    await print("pause", "provider", name, "--reason", "r");
    const listed = await json("provider", "list");
    expect(listed.slice(0, 2)).toEqual([
      { provider: "sandbox", kind: "built-in", books: ["test"], state: "active" },
      { provider: "pool", kind: "built-in", books: ["test", "live"], state: "active" },
    ]);
    expect(listed.find((each: { provider: string }) => each.provider === name)).toMatchObject({ state: "paused" });
    expect(await print("provider", "list")).toMatch(
      new RegExp(`${name} +upstream +test +paused +https://pay.acme.example`),
    );
  });

  it("is changed by what is named, and given its defaults back", async () => {
    await add("--serves", "payin:card-p2p", "--no-holder", "--pin", Buffer.alloc(32).toString("base64"));
    const changed = await json(
      "provider",
      "set",
      name,
      "--timeout-ms",
      "5000",
      "--base-url",
      "https://b.example:8443/x/",
    );
    expect(changed).toMatchObject({ timeout_ms: 5_000, base_url: "https://b.example:8443/x", needs_holder: false });
    expect(changed).toMatchObject({ serves: ["payin:card-p2p"], pins: [Buffer.alloc(32).toString("base64")] });
    const back = await json("provider", "set", name, "--serves", "all", "--pin", "none", "--needs-holder");
    expect(await json("provider", "set", name, "--test-cards", "yes")).toMatchObject({ test_cards: true });
    expect(await json("provider", "set", name, "--test-cards", "no")).toMatchObject({ test_cards: false });
    expect(back).toMatchObject({ serves: null, pins: null, needs_holder: true, timeout_ms: 5_000 });
    expect(await json("provider", "show", name)).toMatchObject({
      ...back,
      keys: [expect.objectContaining({ state: "signs" })],
    });
  });

  it("keeps its project there while a payment is not over: another project would be sent its payouts again", async () => {
    await add();
    const { projectId } = await aProject(db, "live");
    const payin = aNewPayin(projectId);
    const key = { projectId, requestId: payin.requestId };
    await openCreatePayments(db).payin(payin);
    const apply = openApplyPayments(db);
    await apply({ ...key, actor: "worker", payin: { kind: "submitted" }, nextProvider: name });
    expect(await refusal("provider", "set", name, "--project-id", "p-2", "--timeout-ms", "5000")).toMatch(
      new RegExp(`^1 payment of ${name} is not over.*Nothing was changed\\.$`),
    );
    expect(await json("provider", "set", name, "--project-id", "p-1")).toMatchObject({ timeout_ms: 10_000 });
    await apply({ ...key, actor: "worker", payin: { kind: "no_requisites" } });
    expect(await json("provider", "set", name, "--project-id", "p-2")).toMatchObject({ project_id: "p-2" });
  });

  it("that is retired gets no new route, and says which routes still name it", async () => {
    await add();
    const { projectId } = await aProject(db, "live");
    await print("project", "set", projectId, "--route", `payin:card-p2p=${name}`);
    expect(await json("provider", "retire", name)).toEqual({ provider: name, retired: true, changed: true, routes: 1 });
    expect(await json("provider", "retire", name)).toMatchObject({ changed: false });
    expect(await print("provider", "list")).toMatch(new RegExp(`${name} +upstream +live +retired`));
    expect(await refusal("project", "set", projectId, "--route", `payout:card-p2p=${name}`)).toBe(
      `${name} is retired, and takes no new payments. Nothing was changed.`,
    );
  });

  it("gets only routes that it can serve, of its own book", async () => {
    await add("--serves", "payin:card-p2p");
    const [live, test] = [await aProject(db, "live"), await aProject(db, "test")];
    expect(await refusal("project", "set", live.projectId, "--route", `payout:card-p2p=${name}`)).toBe(
      `${name} cannot serve payout:card-p2p. Nothing was changed.`,
    );
    expect(await refusal("project", "set", test.projectId, "--route", `payin:card-p2p=${name}`)).toBe(
      `${name} never sees test money, and this is a test project. Nothing was changed.`,
    );
  });

  it("of the program has no settings", async () => {
    expect(await refusal("provider", "show", "pool")).toBe(
      "pool is part of Tillgate: it has no settings and no keys of its own.",
    );
  });
});

describe("keys are exchanged without a gap", () => {
  it("a new one signs at once, the earlier one is kept until it is retired, and the last one stays", async () => {
    await add();
    const second = await json("provider", "key", "add", name, "--key", secretFile, "--key-id", "ak_2");
    const states = async () =>
      (await json("provider", "key", "list", name)).map((key: { kind: string; state: string }) => [
        key.kind,
        key.state,
      ]);
    expect(await states()).toEqual([
      ["rsa", "kept"],
      ["hmac", "signs"],
    ]);
    const [first] = await openKeysOf(name);
    await print("provider", "key", "retire", name, first?.id ?? "");
    expect(await states()).toEqual([
      ["rsa", "retired"],
      ["hmac", "signs"],
    ]);
    expect(await refusal("provider", "key", "retire", name, second.key_id)).toBe(
      "It is the last key that signs calls to this provider: add its successor first with provider key add. Nothing was changed.",
    );
    expect((await openKeysOf(name)).map(({ id }) => id)).toEqual([second.key_id]);
  });

  it("a key that retires later is in force until then, and is no reason to retire the other", async () => {
    await add();
    const second = await json("provider", "key", "add", name, "--key", secretFile, "--key-id", "ak_2");
    const retired = await json("provider", "key", "retire", name, second.key_id, "--in", "24h");
    expect(Date.parse(retired.retires_at) - Date.now()).toBeGreaterThan(86_000_000);
    expect(await openKeysOf(name)).toHaveLength(2);
    const [first] = await openKeysOf(name);
    expect(await refusal("provider", "key", "retire", name, first?.id ?? "")).toContain("the last key");
  });

  it("any callback key verifies, and none needs to be there", async () => {
    await add("--callback-key", publicFile);
    await json("provider", "key", "add", name, "--callback-key", secretFile);
    const [, rsaKey, hmacKey] = await openKeysOf(name);
    expect([rsaKey?.kind, hmacKey?.kind, hmacKey?.token]).toEqual(["rsa", "hmac", hmacKey?.id]);
    for (const key of [rsaKey, hmacKey]) await print("provider", "key", "retire", name, key?.id ?? "");
    expect(await openKeysOf(name)).toHaveLength(1);
  });

  it("refuses what it has already, what it does not have, and what is retired", async () => {
    await add();
    expect(await refusal("provider", "key", "add", name, "--key", keyFile)).toBe(
      `Provider ${name} has this key already. Nothing was changed.`,
    );
    expect(await refusal("provider", "key", "retire", name, "0".repeat(32))).toContain("no such key");
    const second = await json("provider", "key", "add", name, "--key", secretFile, "--key-id", "ak_2");
    await print("provider", "key", "retire", name, second.key_id);
    expect(await refusal("provider", "key", "retire", name, second.key_id)).toContain("retired already");
  });
});

describe("a name that no provider has is refused with those there are", () => {
  it.each([
    ["project set", async () => ["project", "set", (await aProject(db)).projectId, "--route", "payin:card-p2p=nobody"]],
    ["pause provider", async () => ["pause", "provider", "nobody", "--reason", "r"]],
    ["resume provider", async () => ["resume", "provider", "nobody"]],
    ["provider show", async () => ["provider", "show", "nobody"]],
    ["provider set", async () => ["provider", "set", "nobody", "--scheme", "1"]],
    ["provider retire", async () => ["provider", "retire", "nobody"]],
    ["provider key list", async () => ["provider", "key", "list", "nobody"]],
    ["provider key add", async () => ["provider", "key", "add", "nobody", "--key", keyFile]],
    ["provider key retire", async () => ["provider", "key", "retire", "nobody", "0".repeat(32)]],
  ])("%s", async (_command, words) => {
    const { exitCode, printed, errors } = await tillgate(...(await words()));
    expect([exitCode, printed]).toEqual([EXIT.usage, ""]);
    expect(errors).toMatch(/^There is no provider "nobody"\. The providers are: sandbox, pool(, acme-\d+)*\.$/m);
  });
});
