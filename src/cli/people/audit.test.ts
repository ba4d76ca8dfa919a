import { beforeAll, describe, expect, it } from "vitest";
import type { Id } from "../../core/ids.ts";
import { disableUrl, SHOP_URL } from "../../testing/builders/callbacks.ts";
import { aProject, testKeyring } from "../../testing/builders/projects.ts";
import { aConfiguredProvider, aTheirBank, fakeBooks } from "../../testing/builders/provider-books.ts";
import { anAccount } from "../../testing/builders/receiving-accounts.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { openCommandLine, outcomesOf } from "../../testing/program/command-line.ts";
import { aFakeProvider } from "../../testing/rigs/fake-provider.ts";
import { COMMANDS } from "../commands.ts";

const { db } = useTestDatabase();
const keyring = testKeyring();
let input = "";
const tillgate = openCommandLine(db, undefined, {
  openKeyring: async () => keyring,
  readInput: async () => input,
  openConnector: async (_db, code) => ({
    ...aFakeProvider(code),
    books: fakeBooks({ banks }),
    close: async () => undefined,
  }),
});
const { print, json } = outcomesOf(tillgate);

const banks = [aTheirBank("fresh", "Refreshed Bank", undefined, "KZ")];
const CARD = "2200000000000053";
const ACME_SECRET = "sk_audited0123456789abcdef";
const ACME_KEY = "--merchant-id m-1 --project-id p-1 --key - --key-id ak_1".split(" ");
let merchantId: Id;
let projectId: Id;
let account = "";

beforeAll(async () => {
  ({ merchantId, projectId } = await aProject(db, "live"));
  account = (await anAccount(db, keyring)).code;
});

/** What a command leaves in the audit log: lines that begin so, or nothing, because of a reason; or it only reads. */
type Standing =
  | "reads"
  | { readonly exempt: string }
  | { readonly words: () => string[] | Promise<string[]>; readonly writes: string; readonly stdin?: string };

const MONEY = { exempt: "money that was moved has its own record, with the operator's name" };
const HISTORY = { exempt: "the payment's history names the operator" };

const AS_A_MERCHANT = { exempt: "it calls the API as a merchant does" };

const STANDINGS: Readonly<Record<string, Standing>> = {
  start: { exempt: "a service that starts changes no setting" },
  migrate: { exempt: "it makes the audit log; schema_migrations says what was applied" },
  completion: "reads",
  call: AS_A_MERCHANT,
  payin: AS_A_MERCHANT,
  payout: AS_A_MERCHANT,
  trigger: AS_A_MERCHANT,
  listen: "reads",
  "vectors check": "reads",
  "sandbox clock": { exempt: "the sandbox's time is play" },
  "merchant create": { words: () => ["merchant", "create", "Shop Ltd"], writes: "merchants.insert Shop Ltd" },
  "merchant list": "reads",
  "project create": {
    words: () => ["project", "create", "--merchant", merchantId, "--name", "Web", "--book", "test"],
    writes: "projects.insert",
  },
  "project list": "reads",
  "project show": "reads",
  "project set": {
    words: () => ["project", "set", projectId, "--rate", "7", "--method", "payin:card-p2p:RUB", "--enable"],
    writes: "projects.update",
  },
  "key add": { words: () => ["key", "add", "--project", projectId, "--generate", "hmac"], writes: "api_keys.insert" },
  "key list": "reads",
  "key revoke": {
    words: async () => {
      const key = (await json("key", "add", "--project", projectId, "--generate", "hmac")) as { key: string };
      return ["key", "revoke", String(Object.values(key).find((value) => /^[0-9a-f]{32}$/.test(String(value))))];
    },
    writes: "api_keys.update",
  },
  "person add": {
    words: () => ["person", "add", "a@shop.example", "--merchant", merchantId, "--name", "A", "--role", "owner"],
    stdin: "seven green bottles\n",
    writes: "team.add a@shop.example",
  },
  "person invite": {
    words: () => ["person", "invite", "b@shop.example", "--merchant", merchantId, "--role", "viewer"],
    writes: "team.invite b@shop.example",
  },
  "person reset": {
    words: () => ["person", "reset", "a@shop.example", "--second-factor"],
    writes: "person.reset_link a@shop.example",
  },
  "person list": "reads",
  "balance show": "reads",
  "balance credit": MONEY,
  "balance debit": MONEY,
  attention: "reads",
  "alert test": { exempt: "it sends a message to operators, and changes nothing" },
  "payment list": "reads",
  "payment show": "reads",
  "payment settle": HISTORY,
  "payment decline": HISTORY,
  "payout list": "reads",
  "payout batches": "reads",
  "payout export": { exempt: "the payouts that were exported name the operator" },
  "payout complete": MONEY,
  "payout fail": MONEY,
  "suspense list": "reads",
  "suspense assign": MONEY,
  "suspense return": MONEY,
  "suspense reverse": MONEY,
  "statement import": MONEY,
  "transfer record": MONEY,
  "transfer list": { exempt: "a payer that it reveals is a line: see transfer-payers.test.ts for what is recorded" },
  "transfer reveals": "reads",
  "transfer explain": MONEY,
  "transfer reverse": MONEY,
  reconcile: "reads",
  "reconcile provider": "reads",
  "provider balances": "reads",
  "provider funds": {
    words: async () => {
      await aConfiguredProvider(db, "alpha");
      return "provider funds alpha --in 500 --currency RUB --reference FT-1".split(" ");
    },
    writes: "provider_funds.insert alpha",
  },
  "provider funds reverse": {
    words: () => "provider funds reverse alpha --reference FT-1 --reason slip".split(" "),
    writes: "provider_funds.update alpha",
  },
  "provider banks": {
    words: async () => {
      await print("bank", "add", "--name", "Mapped Bank", "--country", "KZ");
      return ["provider", "banks", "alpha", "--map", "-"];
    },
    stdin: "ours,theirs\nmapped-bank,their-bank\n",
    writes: "provider_banks.insert alpha mapped-bank",
  },
  "provider banks refresh": {
    words: async () => {
      await print("bank", "add", "--name", "Refreshed Bank", "--country", "KZ");
      return ["provider", "banks", "refresh", "alpha"];
    },
    writes: "provider_banks.insert alpha refreshed-bank",
  },
  "pause payouts": {
    words: () => ["pause", "payouts", projectId, "--reason", "x"],
    writes: "pauses.insert payouts",
  },
  "pause project": { words: () => ["pause", "project", projectId, "--reason", "x"], writes: "pauses.insert project" },
  "pause method": { words: () => ["pause", "method", "card-p2p", "--reason", "x"], writes: "pauses.insert method" },
  "pause provider": { words: () => ["pause", "provider", "pool", "--reason", "x"], writes: "pauses.insert provider" },
  "resume payouts": { words: () => ["resume", "payouts", projectId], writes: "pauses.update payouts" },
  "resume project": { words: () => ["resume", "project", projectId], writes: "pauses.update project" },
  "resume method": { words: () => ["resume", "method", "card-p2p"], writes: "pauses.update method card-p2p" },
  "resume provider": { words: () => ["resume", "provider", "pool"], writes: "pauses.update provider pool" },
  "restore show": "reads",
  "restore declare": { words: () => ["restore", "declare", "--reason", "x"], writes: "restores.insert" },
  "restore check": { words: () => ["restore", "check"], writes: "restores.update" },
  "restore resume": { words: () => ["restore", "resume"], writes: "restores.update" },
  "provider list": "reads",
  "provider show": "reads",
  "provider add": {
    words: () => [..."provider add acme --kind upstream --base-url https://pay.acme.example".split(" "), ...ACME_KEY],
    stdin: `${ACME_SECRET}\n`,
    writes: "providers.insert acme",
  },
  "provider set": { words: () => ["provider", "set", "acme", "--timeout-ms", "5000"], writes: "providers.update acme" },
  "provider test": "reads",
  "provider key list": "reads",
  "provider key add": {
    words: () => ["provider", "key", "add", "acme", "--callback-key", "-"],
    stdin: `${ACME_SECRET}\n`,
    writes: "provider_keys.insert acme",
  },
  "provider key retire": {
    words: async () => ["provider", "key", "retire", "acme", await callbackKeyOfAcme()],
    writes: "provider_keys.update acme",
  },
  "provider retire": { words: () => ["provider", "retire", "acme"], writes: "providers.update acme" },
  "pool account list": "reads",
  "pool account show": "reads",
  "pool account add": {
    words: () =>
      "pool account add main --bank sberbank --currency RUB --country RU --holder IVAN --number 40817810000000000001".split(
        " ",
      ),
    writes: "receiving_accounts.insert main",
  },
  "pool account set": {
    words: () => ["pool", "account", "set", account, "--priority", "5"],
    writes: "receiving_accounts.update",
  },
  "pool account mapping": {
    words: () => ["pool", "account", "mapping", account, "--file", "-"],
    stdin: '{"columns": {"booked_at": "Date", "credit": "In", "debit": "Out", "reference": "Ref"}, "currency": "RUB"}',
    writes: "receiving_accounts.update",
  },
  "pool requisite list": "reads",
  "pool requisite add": {
    words: () => ["pool", "requisite", "add", account, "--type", "phone", "--value", "+79001234567"],
    writes: "requisites.insert",
  },
  "pool requisite off": { words: () => requisite("off", true), writes: "requisites.update" },
  "pool requisite on": { words: () => requisite("on", false), writes: "requisites.update" },
  "pool capacity": "reads",
  "bank list": "reads",
  "bank import": {
    words: () => ["bank", "import", "-"],
    stdin: "name,sbp_code,country_code\nFirst Audited Bank,,KZ\n",
    writes: "banks.insert first-audited-bank",
  },
  "bank add": {
    words: () => ["bank", "add", "--name", "Audited Bank", "--country", "KZ"],
    writes: "banks.insert audited-bank",
  },
  "bank show": "reads",
  "bank set": {
    words: () => ["bank", "set", "audited-bank", "--name-in", "ru=Банк", "--alias", "AB", "--colour", "#102030"],
    writes: "banks.update audited-bank",
  },
  "bank disable": { words: () => ["bank", "disable", "audited-bank"], writes: "banks.update audited-bank" },
  "bank enable": { words: () => ["bank", "enable", "audited-bank"], writes: "banks.update audited-bank" },
  "route try": "reads",
  "bin import": {
    words: () => ["bin", "import", "-"],
    stdin: "prefix,country,bank\n427901,RU,\n",
    writes: "card_bin_imports.insert",
  },
  "bin show": "reads",
  "provider health": "reads",
  "callback list": "reads",
  "callback show": "reads",
  "callback replay": { exempt: "a callback that is sent again is no setting; its attempts are recorded" },
  "callback dismiss": { exempt: "a dead callback that is dismissed is no setting; its row says who did it, and when" },
  "callback disabled": "reads",
  "callback enable": {
    words: async () => {
      await disableUrl(db, projectId);
      return ["callback", "enable", SHOP_URL, "--project", projectId];
    },
    writes: `disabled_callback_urls.update ${SHOP_URL}`,
  },
  "callback key show": {
    words: () => ["callback", "key", "show", "--project", projectId],
    writes: "callback_keys.insert",
  },
  "callback key rotate": {
    words: () => ["callback", "key", "rotate", "--project", projectId, "--kind", "webhook"],
    writes: "callback_keys.insert",
  },
  "callback key promote": { words: () => ["callback", "key", "promote"], writes: "callback_keys.update" },
  "ledger check": "reads",
  "ledger margin": "reads",
  "ledger clearing": "reads",
  "secrets rewrap": {
    exempt: "the audit log has the line of the data keys; the test needs two master keys: open-keyring",
  },
};

async function callbackKeyOfAcme(): Promise<string> {
  const keys = (await json("provider", "key", "list", "acme")) as { key_id: string; purpose: string }[];
  return keys.find(({ purpose }) => purpose === "callback")?.key_id ?? "";
}

async function requisite(word: "on" | "off", enabled: boolean): Promise<string[]> {
  const [row] = await db.run<{ id: string }>({
    text: "select id from requisites where enabled = $1",
    values: [enabled],
  });
  return ["pool", "requisite", word, row?.id ?? ""];
}

type Line = { readonly line: string; readonly actor: string; readonly kind: string; readonly everything: string };

const listLines = () =>
  db.run<Line>({
    text: `select action || ' ' || subject as line, actor, actor_kind as kind, to_jsonb(audit_log)::text as everything
             from audit_log order by id`,
  });

it("says of every command what it leaves in the audit log", () => {
  expect(Object.keys(STANDINGS).sort()).toEqual(COMMANDS.map(({ name }) => name).sort());
});

/** In the order of the table: a person is reset after it was added, and a bank enabled after it was disabled. */
const changing = Object.entries(STANDINGS).flatMap(([name, standing]) =>
  typeof standing === "object" && "words" in standing ? [[name, standing] as const] : [],
);

describe("a command that changes a setting is written down with the operator's name", () => {
  it.each(changing)("%s", async (name, { words, writes, stdin = "" }) => {
    if (name === "callback key promote")
      await print("callback", "key", "show").then(() => print("callback", "key", "rotate"));
    const given = await words();
    const before = await listLines();
    input = stdin;
    const { exitCode, errors } = await tillgate(...given);
    expect([exitCode, errors]).toEqual([0, ""]);
    const written = (await listLines()).slice(before.length);
    expect(written.map(({ line }) => line)).toEqual(expect.arrayContaining([expect.stringContaining(writes)]));
    for (const { actor, kind } of written) expect([kind, actor]).toEqual(["operator", "olga"]);
  });
});

it("says what a setting was before and is after, of those that changed", async () => {
  await print("project", "set", projectId, "--rate", "11");
  await print("project", "set", projectId, "--rate", "12");
  const [row] = await db.run({
    text: `select merchant_id as "merchantId", subject, before, after from audit_log where action = 'projects.update' order by id desc limit 1`,
  });
  expect(row).toEqual({
    merchantId,
    subject: projectId,
    before: { rate_per_second: 11 },
    after: { rate_per_second: 12 },
  });
});

it("writes nothing for a command that is refused or changes nothing", async () => {
  const before = (await listLines()).length;
  await print("project", "set", projectId, "--rate", "12");
  expect((await tillgate("project", "set", "0".repeat(32), "--rate", "12")).exitCode).toBe(1);
  await print("project", "list");
  expect((await listLines()).length).toBe(before);
});

it("writes down no secret, and no number that is stored sealed", async () => {
  input = CARD;
  await print("pool", "requisite", "add", account, "--type", "card", "--value", "-");
  const all = (await listLines()).map(({ everything }) => everything).join("\n");
  expect(all).toContain("[hidden]");
  const sealed = await db.run<{ value: string }>({
    text: `select value::text from requisites union all select secret::text from api_keys where secret is not null
           union all select secret::text from callback_keys union all select secret::text from provider_keys union all select holder::text from receiving_accounts`,
  });
  expect(sealed.length).toBeGreaterThan(5);
  for (const text of [CARD, "9001234567", ACME_SECRET, ...sealed.map(({ value }) => value.replace("\\x", ""))])
    expect(all).not.toContain(text);
});

it("leaves settings that a service changes to the service", async () => {
  const before = (await listLines()).length;
  await db.run({ text: "update projects set rate_burst = rate_burst + 1 where id = $1", values: [projectId] });
  expect((await listLines()).length).toBe(before);
});
