import { expect, test } from "vitest";
import { EXIT } from "../../cli/kit/command.ts";
import { runCli } from "../../cli/kit/run.ts";
import { recordingContext } from "../../testing/program/cli-context.ts";

const PAN = "4242424242424242";
const ADD = ["main", "--bank", "sberbank", "--currency", "RUB", "--country", "RU", "--holder", "IVAN I."];
const CARD = ["main", "--type", "card"];

/** The same with another value for one of the options. */
function adding(option: string, value: string): string[] {
  return ADD.map((word, index) => (ADD[index - 1] === option ? value : word));
}

test.each([
  ["account add", [], "CODE is missing."],
  ["account add", ["main"], "--bank is missing."],
  ["account add", ["main", "--bank", "sberbank"], "--country is missing."],
  ["account add", ["main", "--bank", "sberbank", "--country", "RU"], "--currency is missing."],
  ["account add", ADD.slice(0, -2), "--holder is missing."],
  [
    "account add",
    ["Main", ...ADD.slice(1)],
    'CODE must be like main-sber: small letters, digits and single dashes, at most 40. It is "Main".',
  ],
  ["account add", adding("--bank", "T Bank"), '--bank must be like t-bank. It is "T Bank".'],
  ["account add", [...ADD, "--book", "real"], '--book must be test or live. It is "real".'],
  ["account add", adding("--country", "rus"), '--country must be two capital letters, such as RU. It is "rus".'],
  ["account add", [...ADD, "--hours", "9-18"], '--hours must be like 09:00-18:00, or always. It is "9-18".'],
  [
    "account add",
    [...ADD, "--hours", "09:00-09:00"],
    '--hours must end at another time than it begins; around the clock is always. It is "09:00-09:00".',
  ],
  ["account add", [...ADD, "--priority=-1001"], '--priority must be a whole number from -1000 to 1000. It is "-1001".'],
  [
    "account add",
    [...ADD, "--priority", "-5"],
    "Option '--priority' has no value, or one that begins with a dash: write that one behind an equals sign.",
  ],
  [
    "account add",
    [...ADD, "--quarantine", "60"],
    '--quarantine must be a whole number from 900 to 2592000. It is "60".',
  ],
  ["account add", [...ADD, "--cool-down", "1h"], '--cool-down must be a whole number from 0 to 86400. It is "1h".'],
  ["account add", [...ADD, "--parallel", "-"], '--parallel must be a whole number from 0 to 999999999. It is "-".'],
  [
    "account add",
    [...ADD, "--min", "0"],
    '--min must be a whole number of minor units (kopecks, cents) from 1 to 10000000000000. It is "0".',
  ],
  [
    "account add",
    [...ADD, "--opening-balance", "1.5"],
    '--opening-balance must be a whole number from -10000000000000 to 10000000000000. It is "1.5".',
  ],
  // A number, a name and a requisite are never said again.
  [
    "account add",
    [...ADD, "--number", "40817 secret"],
    "--number must be an account's number: 4 to 34 digits and capital letters.",
  ],
  ["account add", [...ADD, "PETROV"], "There is one word too many."],
  ["account add", adding("--holder", "x".repeat(65)), "--holder must have at most 64 characters."],
  ["account set", ["main"], "Nothing to change: name at least one setting."],
  ["account set", ["main", "--on", "--off"], "Give either --on or --off."],
  ["account set", ["main", "--currency", "RUB"], "Unknown option '--currency'."],
  ["account mapping", ["main"], "Give either --file FILE, or --none, or --show."],
  ["account mapping", ["main", "--none", "--show"], "Give either --file FILE, or --none, or --show."],
  ["requisite add", CARD, "--value is missing."],
  [
    "requisite add",
    [PAN, "--type", "card", "--value", "1"],
    "--value must be a card's number: 12 to 19 digits, none of them mistyped.",
  ],
  [
    "requisite add",
    [`${PAN} `, "--type", "card"],
    "ACCOUNT must be the code of a receiving account: see pool account list.",
  ],
  ["requisite add", ["main", "--type", PAN, "--value", PAN], "--type must be card or phone or account or link."],
  ["requisite add", [...CARD, "--value", PAN, "--method", PAN], "--method must be a method such as card-p2p."],
  [
    "requisite add",
    [...CARD, "--value", "4242424242424241"],
    "--value must be a card's number: 12 to 19 digits, none of them mistyped.",
  ],
  ["requisite add", [...CARD, "--value", PAN, PAN], "There is one word too many."],
  [
    "requisite add",
    ["main", "--type", "phone", "--value", "89001234567"],
    "--value must be a phone number with + and its country's code.",
  ],
  ["requisite on", ["7"], 'ID must be an id: 32 characters of 0-9 and a-f. It is "7".'],
  ["capacity", ["5"], "CURRENCY is missing."],
  ["capacity", ["5", "RUR"], 'CURRENCY must be a currency of ISO 4217 in capitals, such as RUB. It is "RUR".'],
])("pool %s %j is refused before the database is touched", async (name, words, sentence) => {
  const { context, errors } = recordingContext();
  const exitCode = await runCli(context, ["pool", ...name.split(" "), ...words]);
  expect(errors).toEqual([sentence, `See tillgate pool ${name} --help.`]);
  expect(exitCode).toBe(EXIT.usage);
});

test("a method that lends nothing is answered with those that do", async () => {
  const { context, errors } = recordingContext();
  expect(await runCli(context, ["pool", "capacity", "5", "RUB", "--method", "card-ecom"])).toBe(EXIT.usage);
  expect(errors[0]).toMatch(/^--method must be card-p2p or .* or ussd\. It is "card-ecom"\.$/);
});

test.each([
  ["[1]", "Nothing was changed:\n  the mapping must be a JSON object"],
  ["{", "Nothing was changed:\n  it is not JSON"],
  [`{"a":"${"x".repeat(10_240)}"}`, "Nothing was changed:\n  it has more than 10240 bytes, and is hardly a mapping"],
])("pool account mapping refuses a file that is none", async (text, sentence) => {
  const { context, errors } = recordingContext({ readInput: async () => text });
  expect(await runCli(context, ["pool", "account", "mapping", "main", "--file", "-"])).toBe(EXIT.refused);
  expect(errors).toEqual([sentence]);
});
