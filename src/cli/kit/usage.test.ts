import { expect, test } from "vitest";
import { COMMANDS } from "../commands.ts";
import { type CliContext, EXIT } from "./command.ts";
import { runCli } from "./run.ts";

const ID = "0192d3c0a1b27c3d8e4f5a6b7c8d9e0f";

/** A command line without a database: whatever asks for one before it has read its options fails the test. */
async function run(words: readonly string[], changes: Partial<CliContext> = {}) {
  const printed: string[] = [];
  const errors: string[] = [];
  const untouched = () => Promise.reject(new Error("the database was touched"));
  const context: CliContext = {
    print: (text) => printed.push(text),
    printError: (text) => errors.push(text),
    showProgress: () => undefined,
    readInput: async () => "",
    withDatabase: untouched,
    withUncheckedDatabase: untouched,
    openKeyring: untouched,
    masterKeys: () => {
      throw new Error("the master keys were touched");
    },
    startService: async () => EXIT.done,
    findSandboxClock: async () => undefined,
    probeProvider: untouched,
    openConnector: untouched,
    openAlertChannels: untouched,
    untilStopped: async () => undefined,
    stateDir: "/nonexistent/.tillgate",
    publicUrl: "https://pay.example.com",
    actor: "tester",
    developmentMode: false,
    embeddedDir: undefined,
    programName: "./tillgate",
    ...changes,
  };
  const exitCode = await runCli(context, words);
  return { exitCode, printed: printed.join("\n"), errors };
}

test.each(COMMANDS.map((command) => command.name))("%s --help says how it is used", async (name) => {
  const { exitCode, printed } = await run([...name.split(" "), "--help"]);
  expect(exitCode).toBe(EXIT.done);
  expect(printed).toContain(`Usage: ./tillgate ${name}`);
  expect(printed).not.toContain("{program}");
});

const SINCE_WRONG = '--since must be a time such as 2026-01-31 or 2026-01-31T10:00:00Z. It is "2026-02-30".';
const MOVEMENT = ["--reference", "r", "--reason", "r"];
const UPSTREAM = ["--kind", "upstream", "--base-url"];

test.each([
  ["merchant create", [], "NAME is missing."],
  ["merchant create", ["Shop", "Ltd"], '"Ltd" is one word too many.'],
  ["merchant create", ["  "], "NAME must not be empty."],
  ["merchant create", ["x".repeat(129)], "NAME must have at most 128 characters."],
  ["merchant create", ["\u202egnp.exe"], "NAME must not hold control characters."],
  ["project create", ["--name", "Web", "--book", "test"], "--merchant is missing."],
  [
    "project create",
    ["--merchant", ID, "--name", "Web", "--book", "prod"],
    '--book must be test or live. It is "prod".',
  ],
  ["project list", ["--merchant", "7"], '--merchant must be an id: 32 characters of 0-9 and a-f. It is "7".'],
  ["project set", [ID], "Nothing to change: name at least one setting."],
  [
    "project set",
    [ID, "--allow-ip", "none", "--allow-ip", "192.0.2.1"],
    "--allow-ip none goes without other addresses.",
  ],
  [
    "project set",
    [ID, "--callback-url", "http://shop.example"],
    "--callback-url must be a URL that begins with https://.",
  ],
  ["project set", [ID, "--callback-url", "https://shop.example:8080"], "--callback-url must use port 443 or 8443."],
  ["project set", [ID, "--rate", "1e3"], '--rate must be a whole number from 1 to 1000000. It is "1e3".'],
  [
    "project set",
    [ID, "--unpaid-confirms", "0"],
    '--unpaid-confirms must be a whole number from 1 to 1000000. It is "0".',
  ],
  ["project set", [ID, "--enable"], "--method is missing: it says which methods to change."],
  [
    "project set",
    [ID, "--min", "-5"],
    "Option '--min' has no value, or one that begins with a dash: write that one behind an equals sign.",
  ],
  ["project set", [ID, "--colour", "red"], "Unknown option '--colour'."],
  ["key add", ["--generate", "rsa"], "--merchant or --project is missing: it says whose key this is."],
  ["key add", ["--merchant", ID, "--generate", "rsa"], "--book is missing: test or live."],
  ["key add", ["--project", ID], "Give either --public-key FILE, or --generate rsa, or --generate hmac."],
  [
    "key add",
    ["--project", ID, "--public-key", "k.pem", "--out", "x"],
    "--out goes with --generate: a given public key has no secret part to write.",
  ],
  [
    "key add",
    ["--project", ID, "--generate", "rsa", "--not-after", "2001-01-01"],
    "--not-after is in the past: the key would never work.",
  ],
  [
    "key add",
    ["--project", ID, "--generate", "rsa", "--not-before", "2101-01-01", "--not-after", "2100-01-01"],
    "--not-after must be later than --not-before.",
  ],
  ["key revoke", ["ak_1"], 'KEY must be an id: 32 characters of 0-9 and a-f. It is "ak_1".'],
  ["balance credit", [ID, "5", "RUB", "--reference", "r"], "--reason is missing."],
  [
    "balance debit",
    [ID, "0.5", "RUB", ...MOVEMENT],
    'AMOUNT must be a whole number of minor units (kopecks, cents) from 1 to 10000000000000. It is "0.5".',
  ],
  [
    "balance credit",
    [ID, "5", "BTC", ...MOVEMENT],
    'CURRENCY must be a currency of ISO 4217 in capitals, such as RUB. It is "BTC".',
  ],
  ["bank add", ["--name", "B", "--country", "kz"], 'The country must be two capital letters, it is "kz".'],
  ["bank show", ["T Bank"], 'SYMBOL must be like t-bank. It is "T Bank".'],
  ["bank set", ["vtb"], "bank set needs what to change: --name-in, --alias, --popularity, --colour or --image."],
  ["bank set", ["vtb", "--name-in", "de=VTB"], '--name-in must be like ru=Сбербанк. It is "de=VTB".'],
  [
    "bank set",
    ["vtb", "--name-in", "ru="],
    "The change is refused: the name must have 1 to 64 characters, it has 0 (ru).",
  ],
  ["bank set", ["vtb", "--popularity", "0"], '--popularity must be a whole number from 1 to 1000. It is "0".'],
  ["bank set", ["vtb", "--colour", "red"], "--colour must be a colour such as #1a56db."],
  ["bank disable", ["T Bank"], 'SYMBOL must be like t-bank. It is "T Bank".'],
  ["project set", [ID, "--daily-count", "5"], "--limit is missing: it says which limits to change, such as payin:RUB."],
  [
    "project set",
    [ID, "--limit", "payin:RUB"],
    "--limit needs what to change: --daily-count, --daily-sum, --customer-daily-count or --customer-daily-sum.",
  ],
  [
    "project set",
    [ID, "--limit", "RUB", "--daily-count", "5"],
    '--limit must be like payin:RUB or payout:KZT. It is "RUB".',
  ],
  [
    "project set",
    [ID, "--limit", "payin:RUR", "--daily-count", "5"],
    'The currency of --limit must be a currency of ISO 4217 in capitals, such as RUB. It is "RUR".',
  ],
  [
    "project set",
    [ID, "--limit", "payin:RUB", "--daily-sum", "many"],
    '--daily-sum must be a whole number of minor units (kopecks, cents) from 0 to 10000000000000. It is "many".',
  ],
  [
    "project set",
    [ID, "--route", "card-p2p=sandbox"],
    '--route must be like payin:card-p2p=sandbox. It is "card-p2p=sandbox".',
  ],
  [
    "project set",
    [ID, "--route", "payin:card-p2p="],
    '--route must be like payin:card-p2p=sandbox. It is "payin:card-p2p=".',
  ],
  ["project set", [ID, "--route", "payout:ussd=sandbox"], "There are no payouts by ussd."],
  ["project set", [ID, "--route", "payin:card-p2p=No Body"], '"No Body" is not a provider\'s code: see provider list.'],
  ["project set", [ID, "--route", "payin:ussd=sandbox,sandbox"], "--route names a provider twice."],
  [
    "project set",
    [ID, "--route", "payin:ussd=none", "--route", "payin:ussd=sandbox"],
    "--route names payin:ussd twice.",
  ],
  ["pause payouts", [], "--reason is missing."],
  ["pause payouts", ["all", "--reason", "r"], 'PROJECT must be an id: 32 characters of 0-9 and a-f. It is "all".'],
  ["pause project", ["--reason", "r"], "PROJECT is missing."],
  ["pause provider", ["No-Body", "--reason", "r"], '"No-Body" is not a provider\'s code: see provider list.'],
  ["provider add", ["B"], 'NAME must have 2 to 32 characters of a-z, 0-9 and -, and begin with a letter. It is "B".'],
  ...["pool", "pool-main", "sandbox", "manual-2"].map((name): [string, string[], string] => [
    "provider add",
    [name],
    `NAME must not be or begin like pool, sandbox or manual, which are Tillgate's own. It is "${name}".`,
  ]),
  ["provider add", ["acme"], "--kind is missing."],
  ["provider add", ["acme", "--kind", "bank"], '--kind must be upstream. It is "bank".'],
  ["provider add", ["acme", ...UPSTREAM, "https://a.example"], "--merchant-id is missing."],
  ["provider add", ["acme", ...UPSTREAM, "https://a.example", "--merchant-id", "m"], "--project-id is missing."],
  [
    "provider add",
    ["acme", ...UPSTREAM, "https://a.example", "--merchant-id", "m", "--project-id", "p"],
    "--key is missing: the file with what our calls are signed with.",
  ],
  ["provider add", ["acme", ...UPSTREAM, "http://a.example"], "--base-url must be a URL that begins with https://."],
  [
    "provider add",
    ["acme", ...UPSTREAM, "https://u:p@a.example"],
    "--base-url must not hold a user name or a password.",
  ],
  [
    "provider add",
    ["acme", ...UPSTREAM, "https://a.example/?x"],
    "--base-url must not hold a query, which is ? and what follows.",
  ],
  [
    "provider add",
    ["acme", ...UPSTREAM, "https://127.0.0.1"],
    "--base-url must not lead back to the service's own machine.",
  ],
  ["provider add", ["acme", ...UPSTREAM, "https://a.example:444"], "--base-url must use port 443 or 8443."],
  ["provider add", ["acme", "sk_secret"], "There is one word too many."],
  ["provider set", ["acme"], "Nothing to change: name at least one setting."],
  ["provider set", ["acme", "--scheme", "3"], '--scheme must be 1 or 2. It is "3".'],
  [
    "provider set",
    ["acme", "--serves", "card-p2p"],
    '--serves must be like payin:card-p2p,payout:card-p2p. It holds "card-p2p".',
  ],
  ["provider set", ["acme", "--serves", "payout:ussd"], "There are no payouts by ussd."],
  [
    "provider set",
    ["acme", "--serves", "payin:card"],
    'There is no method "card". The methods are card-p2p, sbp-p2p, phone-p2p, mobile-p2p, account-number, international-p2p, qr-link-p2p, wallet-link, ussd, card-ecom.',
  ],
  ["provider set", ["acme", "--calls-max", "0"], '--calls-max must be a whole number from 1 to 1024. It is "0".'],
  [
    "provider set",
    ["acme", "--timeout-ms", "99"],
    '--timeout-ms must be a whole number from 1000 to 60000. It is "99".',
  ],
  [
    "provider set",
    ["acme", "--pin", "abc"],
    '--pin must be the SHA-256 of the certificate\'s public key in base64, 44 characters. It is "abc".',
  ],
  ["provider set", ["acme", "--pin", "none", "--pin", "abc"], "--pin none goes without other pins."],
  ["provider set", ["acme", "--no-holder", "--needs-holder"], "Give either --no-holder or --needs-holder."],
  ["provider key add", ["acme"], "Give either --key FILE or --callback-key FILE."],
  ["provider key add", ["acme", "--callback-key", "-", "--key-id", "a"], "--key-id goes with --key."],
  [
    "provider key add",
    ["acme", "--key", "-", "--key-id", "sk_1"],
    "--key-id is the public id of the key (ak_…), not its secret.",
  ],
  ["provider key retire", ["acme", "7"], 'KEY must be an id: 32 characters of 0-9 and a-f. It is "7".'],
  [
    "provider key retire",
    ["acme", ID, "--in", "2w"],
    '--in must be a time such as 30min, 24h or 7d, and at most 90d. It is "2w".',
  ],
  ["resume project", ["7"], 'PROJECT must be an id: 32 characters of 0-9 and a-f. It is "7".'],
  ["resume payouts", [ID, ID], `"${ID}" is one word too many.`],
  ["payment list", ["--limit", "0"], '--limit must be a whole number from 1 to 1000. It is "0".'],
  [
    "payment list",
    ["--since", "yesterday"],
    '--since must be a time such as 2026-01-31 or 2026-01-31T10:00:00Z. It is "yesterday".',
  ],
  ["payment list", ["--since", "2026-01-02", "--until", "2026-01-02"], "--until must be later than --since."],
  ["payment list", ["--status", "paid"], '--status must be processing or dispute or success or decline. It is "paid".'],
  ["payment list", ["--direction", "in"], '--direction must be payin or payout. It is "in".'],
  ["payment list", ["--payment-id", ""], "--payment-id must have 1 to 255 characters."],
  ["payout list", ["--after", "x"], '--after must be an id: 32 characters of 0-9 and a-f. It is "x".'],
  ["payment show", [], "REQUEST_ID is missing; or give --project and --payment-id."],
  ["payment show", [ID, "--payment-id", "a"], "Give either REQUEST_ID, or --project and --payment-id."],
  ["payment show", ["--payment-id", "a"], "--project is missing."],
  ["payment show", ["--project", ID], "--payment-id is missing."],
  ["payment settle", [ID, "--reason", "r"], "--reference is missing."],
  ["payment settle", ["7", ...MOVEMENT], 'REQUEST_ID must be an id: 32 characters of 0-9 and a-f. It is "7".'],
  [
    "payment settle",
    [ID, ...MOVEMENT, "--through", "7nobody"],
    '"7nobody" is not a provider\'s code: see provider list.',
  ],
  ["payment decline", [ID, "--reference", "r"], "--reason is missing."],
  [
    "payment decline",
    [ID, "--reference", "x".repeat(256), "--reason", "r"],
    "--reference must have at most 255 characters.",
  ],
  [
    "suspense assign",
    [ID, "--amount", "5", ...MOVEMENT],
    "Give either --to-payment REQUEST_ID or --to-balance PROJECT.",
  ],
  [
    "suspense assign",
    [ID, "--amount", "5", "--to-payment", ID, "--to-balance", ID, ...MOVEMENT],
    "Give either --to-payment REQUEST_ID or --to-balance PROJECT.",
  ],
  ["suspense assign", [ID, "--to-balance", ID, ...MOVEMENT], "--amount is missing."],
  [
    "suspense return",
    [ID, "--amount", "-5", ...MOVEMENT],
    "Option '--amount' has no value, or one that begins with a dash: write that one behind an equals sign.",
  ],
  [
    "suspense return",
    [ID, "--amount", "0", ...MOVEMENT],
    '--amount must be a whole number of minor units (kopecks, cents) from 1 to 10000000000000. It is "0".',
  ],
  ["suspense list", ["--project", "7"], '--project must be an id: 32 characters of 0-9 and a-f. It is "7".'],
  ["attention", ["now"], '"now" is one word too many.'],
  [
    "payment settle",
    [ID, ...MOVEMENT, "--through", "pool"],
    "What came to a receiving account is settled by transfer record, and what left one by payout complete: see their --help.",
  ],
  [
    "payment settle",
    [ID, ...MOVEMENT, "--through", "pool-main"],
    "What came to a receiving account is settled by transfer record, and what left one by payout complete: see their --help.",
  ],
  ...["pool", "pool-", "pool-Main"].map((way): [string, string[], string] => [
    "suspense return",
    [ID, "--amount", "5", ...MOVEMENT, "--through", way],
    "--through must name the receiving account that it was sent from, as pool-CODE: see pool account list.",
  ]),
  [
    "call",
    ["/x", "--algorithm", "MD5"],
    '--algorithm must be one of RSA-SHA256, HMAC-SHA512, RSA-SHA256-V2, HMAC-SHA512-V2. It is "MD5".',
  ],
  ["payin", ["2500.00"], "CURRENCY is missing."],
  [
    "payin",
    ["2500", "RUB"],
    'AMOUNT must be written with 2 decimals in RUB, such as 2500.00. It is "2500", which could mean 2500.00 or, in minor units, 25.00: write the one that you mean.',
  ],
  ["payin", ["1.00", "EUR"], "There are no pay-ins in EUR, but in: RUB, KZT, UZS, AZN, KGS, TJS, ARS, NGN."],
  [
    "payin",
    ["1.00", "NGN", "--method", "card-p2p"],
    '--method must be one of account-number, wallet-link, ussd in NGN. It is "card-p2p".',
  ],
  ["payin", ["1.00", "RUB", "--page", "--method", "card-p2p"], "--page goes without --method: the payer chooses."],
  ["payin", ["1.00", "RUB", "--page", "--confirm"], "--page goes without --confirm: the payer confirms on the page."],
  ["payin", ["1.00", "RUB", "--page", "--bank", "x"], "--bank is for transfers."],
  ["payin", ["1.00", "RUB", "--test-card", "approved"], "--test-card goes with --method card-ecom."],
  [
    "payin",
    ["1.00", "RUB", "--method", "card-ecom", "--confirm"],
    "--confirm is for transfers: a card is charged without it.",
  ],
  [
    "payin",
    ["1.00", "RUB", "--method", "card-ecom", "--test-card", "4242424242424242"],
    '--test-card must be approved or three_ds_2 or three_ds_1 or declined or insufficient_funds or card_expired or processing_error or answers_late. It is "4242424242424242".',
  ],
  ["payin", ["1.00", "RUB", "--payment-id", ""], "--payment-id must have 1 to 255 characters."],
  ["payout", ["1.00", "RUB", "2200123412341234"], "There is one word too many."],
  ["payout", ["1.00", "NGN"], "--to is missing: the account_number of the receiver, for account-number."],
  [
    "payout",
    ["1.00", "RUB", "--method", "sbp-p2p", "--to", "+79001234567"],
    "--bank is missing: sbp-p2p needs the receiver's bank.",
  ],
  [
    "payout",
    ["1.00", "NGN", "--to", "1", "--bank", "x"],
    "--name is missing: account-number needs the receiver's name.",
  ],
  ["payout", ["1.00", "RUB", "--bank", "x"], "--bank does not go with card-p2p."],
  ["payout", ["1.00", "RUB", "--name", "x"], "--name does not go with card-p2p."],
  ["trigger", [], "EVENT is missing. --list shows them all; one is payin.success."],
  ["trigger", ["payin.sucess"], 'There is no event "payin.sucess". Did you mean payin.success? --list shows them all.'],
  ["trigger", ["payin.success", "--list"], "--list goes without EVENT."],
  ["trigger", ["card.success", "--method", "card-p2p"], "--method goes with payin.… only, not with card.success."],
  ["trigger", ["card.success", "--currency", "NGN"], "card.success is not possible in NGN."],
  ["completion", ["csh"], 'SHELL must be bash or zsh or fish. It is "csh".'],
  ["call", ["/x", "--algoritm", "RSA-SHA256"], "Unknown option '--algoritm'. Did you mean --algorithm?"],
  [
    "callback list",
    ["--state", "lost"],
    '--state must be pending or held or delivered or dead or dismissed. It is "lost".',
  ],
  ["callback list", ["--limit", "1001"], '--limit must be a whole number from 1 to 1000. It is "1001".'],
  ["callback list", ["--since", "2026-02-30"], SINCE_WRONG],
  ["callback list", ["--since", "2026-01-02", "--until", "2026-01-01"], "--until must be later than --since."],
  ["callback list", ["--payment-id", ""], "--payment-id must have 1 to 255 characters."],
  ["callback list", ["--after", "1.2"], '--after must be an id: 32 characters of 0-9 and a-f. It is "1.2".'],
  [
    "callback list",
    ["--state", "held", "--after", ID],
    `--after must be what the page before ended with. It is "${ID}".`,
  ],
  ["callback show", ["evt-1"], 'CALLBACK must be an id: 32 characters of 0-9 and a-f. It is "evt-1".'],
  ["callback replay", [], "CALLBACK or --project is missing: it says what to send again."],
  ["callback replay", [ID, "--project", ID], "--project goes without CALLBACK: give either one or the other."],
  ["callback replay", [ID, "--rate", "5"], "--rate goes without CALLBACK: give either one or the other."],
  [
    "callback replay",
    ["--project", ID, "--state", "held"],
    '--state must be dead or delivered or pending. It is "held".',
  ],
  ["callback replay", ["--project", ID, "--rate", "0"], '--rate must be a whole number from 1 to 1000. It is "0".'],
  ["callback enable", ["https://shop.example/"], "--project is missing."],
  ["callback disabled", ["--project", "7"], '--project must be an id: 32 characters of 0-9 and a-f. It is "7".'],
  ["callback key rotate", ["--project", ID], "--kind is missing: webhook or hmac."],
  ["callback key rotate", ["--kind", "hmac"], "--project is missing: it says whose secret is to be replaced."],
  ["callback key rotate", ["--project", ID, "--kind", "rsa"], '--kind must be webhook or hmac. It is "rsa".'],
  ["callback key promote", ["--project", "7"], '--project must be an id: 32 characters of 0-9 and a-f. It is "7".'],
  ["callback key rotate", ["--overlap", "91"], '--overlap must be a whole number from 0 to 90. It is "91".'],
])("%s %j is refused before the database is touched", async (name, words, sentence) => {
  const { exitCode, errors } = await run([...name.split(" "), ...words]);
  expect(errors).toEqual([sentence, `See ./tillgate ${name} --help.`]);
  expect(exitCode).toBe(EXIT.usage);
});

test("help names the command, or says that there is none", async () => {
  expect((await run(["help", "call"])).printed).toBe((await run(["call", "--help"])).printed);
  expect((await run(["help", "payout"])).printed).toContain("See also: payout list, payout batches, payout export");
  expect(await run(["help", "callback"])).toMatchObject({ exitCode: EXIT.done, errors: [] });
  const nonsense = await run(["help", "payn"]);
  expect(nonsense.errors).toEqual(['There is no command "payn". Did you mean payin? See ./tillgate --help.']);
  expect((await run(["callback", "lst"])).errors).toEqual([
    'There is no command "callback lst". Did you mean callback list?\n',
  ]);
});

test("the help has each command once, developers' commands apart from operators'", async () => {
  const { printed } = await run(["--help"]);
  const [, developers = "", operators = ""] = printed.split(/^For the .*:$/m);
  const namesIn = (part: string) =>
    COMMANDS.filter(({ name }) => new RegExp(`^ {2}${name}(?: [A-Z[]| {2})`, "m").test(part)).map(({ name }) => name);
  expect(namesIn(developers)).toEqual(["call", "payin", "payout", "trigger", "listen", "vectors check"]);
  expect(namesIn(operators)).toHaveLength(COMMANDS.length - 8);
});

test("a method or a state that does not exist is answered with those that do", async () => {
  const pausing = await run(["pause", "method", "cash", "--reason", "r"]);
  expect(pausing.errors[0]).toMatch(/^There is no method "cash"\. The methods are card-p2p, /);
  const listing = await run(["payment", "list", "--state", "paid"]);
  expect(listing.errors[0]).toMatch(/^--state must be decline or .* or success\. It is "paid"\.$/);
  expect([pausing.exitCode, listing.exitCode]).toEqual([EXIT.usage, EXIT.usage]);
});

test("call without the sandbox's credentials says where they come from", async () => {
  const { exitCode, errors } = await run(["call", "/api/v1/balance/info"]);
  expect(errors).toEqual([
    "There is no /nonexistent/.tillgate/sandbox.json yet. The service writes it when it starts in development mode: " +
      "npm start. Or name other credentials with --credentials FILE.",
  ]);
  expect(exitCode).toBe(EXIT.refused);
});

test("a file that cannot be read is not mistaken for a database that does not answer", async () => {
  const { exitCode, errors } = await run(["bank", "import", "/nonexistent/banks.csv"]);
  expect(errors).toEqual(["/nonexistent/banks.csv cannot be read: there is no such file or directory."]);
  expect(exitCode).toBe(EXIT.refused);
});

test("bank import lists every fault with its line", async () => {
  const readInput = async () => "name,sbp_code,country_code\nA,1,RU\nB,,kz\n";
  const { exitCode, errors } = await run(["bank", "import", "-"], { readInput });
  expect(errors).toEqual([
    'Nothing was imported:\n  line 2: the code must be twelve digits, it is "1"\n' +
      '  line 3: the country must be two capital letters, it is "kz"',
  ]);
  expect(exitCode).toBe(EXIT.refused);
});

test.each([
  ['{"banks": [{"symbol": "vtb", "logo": 1}]}', 'Nothing was imported:\n  banks[0]: "logo" is not known'],
  [
    '{"banks": [{"symbol": "vtb", "image": "/nonexistent/vtb.png"}]}',
    "/nonexistent/vtb.png cannot be read: there is no such file or directory.",
  ],
  [
    `{"banks": [{"symbol": "vtb", "image": "${import.meta.filename}"}]}`,
    `${import.meta.filename} is neither a PNG nor a JPEG. Nothing was changed.`,
  ],
])("bank import refuses a file of looks before it opens the database: %s", async (text, sentence) => {
  const { exitCode, errors } = await run(["bank", "import", "-"], { readInput: async () => text });
  expect([exitCode, errors]).toEqual([EXIT.refused, [sentence]]);
});

test.each([
  ["-----BEGIN PRIVATE KEY-----", "The input is a private key, which only its owner should see."],
  ["-----BEGIN CERTIFICATE-----", "The input is a certificate."],
])("key add explains what to do with %s", async (pem, sentence) => {
  const words = ["key", "add", "--project", ID, "--public-key", "-"];
  const { exitCode, errors } = await run(words, { readInput: async () => pem });
  expect(errors[0]).toContain(sentence);
  expect(exitCode).toBe(EXIT.refused);
});

const SINGLE_VALUED = COMMANDS.flatMap(({ name, options }) =>
  Object.entries(options)
    .filter(([, { type, multiple }]) => type === "string" && multiple === undefined)
    .map(([option]) => [name, option] as const),
);

test.each(SINGLE_VALUED)("%s refuses --%s given twice", async (name, option) => {
  const { exitCode, errors } = await run([...name.split(" "), `--${option}=a`, `--${option}=b`]);
  expect([exitCode, errors[0]]).toEqual([EXIT.usage, `--${option} takes one value, and is given more than once.`]);
});

test("an option that takes one value does not apply the last to all", async () => {
  const words = [
    "--method",
    "payin:card-p2p:RUB",
    "--fee-bp",
    "250",
    "--method",
    "payin:sbp-p2p:RUB",
    "--fee-bp",
    "100",
  ];
  expect(await run(["project", "set", ID, ...words])).toMatchObject({ exitCode: EXIT.usage, printed: "" });
  const { errors } = await run(["project", "set", ID, ...words]);
  expect(errors[0]).toBe("--fee-bp takes one value, and is given more than once.");
});
