import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ALGORITHMS, type Algorithm, makeSignature } from "../../platform/signing.ts";
import { recordingContext } from "../../testing/program/cli-context.ts";
import { EXIT } from "../kit/command.ts";
import { runCli } from "../kit/run.ts";

type Vector = { name: string; algorithm: Algorithm; valid: boolean; message: string; signature: string };
const reference: { hmac: { secret: string }; vectors: Vector[] } = JSON.parse(
  readFileSync(new URL("../../../docs/signing-vectors.json", import.meta.url), "utf8"),
);

/** The command on a file that a merchant's program wrote; on the contract's own without one. */
async function check(file?: unknown) {
  const text = typeof file === "string" ? file : JSON.stringify(file);
  const { context, printed, errors } = recordingContext({ readInput: async () => text });
  const exitCode = await runCli(context, ["vectors", "check", ...(file === undefined ? [] : ["-"])]);
  return { exitCode, printed: printed.join("\n"), errors };
}

test("this program is right by every vector of the contract", async () => {
  const { exitCode, printed } = await check();
  expect([exitCode, printed]).toEqual([
    EXIT.done,
    expect.stringMatching(
      new RegExp(`^${reference.vectors.length} vectors of .*docs/signing-vectors.json: all right\\.$`),
    ),
  ]);
});

/** What a correct program writes: its own key for RSA, and no input repeated. */
const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
function madeByAProgram(): { rsa: object; vectors: Vector[] } {
  const valid = reference.vectors.filter((vector) => vector.valid);
  const vectors = valid.map(({ name, algorithm, message, signature, ...others }) => {
    const ofRsa = ALGORITHMS[algorithm].kind === "rsa";
    const made = ofRsa ? makeSignature(algorithm, pair.privateKey, message) : signature;
    const { normalised } = others as { normalised?: string };
    return { name, algorithm, message, signature: made, ...(normalised === undefined ? {} : { normalised }) } as Vector;
  });
  return { rsa: { public_key_pem: pair.publicKey.export({ type: "spki", format: "pem" }) }, vectors };
}

test("a program that signs rightly with a key of its own is told so", async () => {
  const file = madeByAProgram();
  const { exitCode, printed } = await check(file);
  expect(exitCode).toBe(EXIT.done);
  expect(printed).toBe(
    `${file.vectors.length} vectors of -: all right (the contract has ${reference.vectors.length}).`,
  );
});

test("a program that verifies is judged by what it says of each signature", async () => {
  const verdicts = reference.vectors.map(({ name, algorithm, valid }) => ({ name, algorithm, valid }));
  expect((await check({ vectors: verdicts })).exitCode).toBe(EXIT.done);
  const gullible = verdicts.map((verdict) => ({ ...verdict, valid: true }));
  const { exitCode, printed } = await check({ vectors: gullible });
  const wrong = reference.vectors.filter(({ valid }) => !valid).length;
  expect([exitCode, printed]).toEqual([
    EXIT.refused,
    expect.stringContaining(`${wrong} of ${verdicts.length} vectors wrong.`),
  ]);
});

test.each([
  ["normalised", { normalised: "general:project_id" }],
  ["message", { message: "x" }],
  ["sha256_of_message", { sha256_of_message: "00" }],
  ["signature", { signature: "AAAA" }],
])("the first step that differs is named: %s", async (step, change) => {
  const [first] = madeByAProgram().vectors.filter(({ algorithm }) => algorithm === "HMAC-SHA512");
  // All that follows a wrong step is wrong too.
  const { exitCode, printed } = await check({ vectors: [{ ...first, signature: "AAAA", ...change }] });
  expect(exitCode).toBe(EXIT.refused);
  expect(printed.split("\n").slice(0, 2)).toEqual(["HMAC-SHA512, check value: one member:", `  ${step} differs first`]);
});

test("a body of the person's own is checked without a vector of that name", async () => {
  const own = {
    algorithm: "HMAC-SHA512-V2",
    path: "/a",
    timestamp: 1706182847,
    body: "{}",
    message: "POST\n/a\n1706182847\n",
  };
  const { exitCode, printed } = await check({ vectors: [own] });
  expect(exitCode).toBe(EXIT.refused);
  expect(printed).toContain(`yours: "POST\\n/a\\n1706182847\\n"`);
  expect(printed).toContain(
    `right: "POST\\n/a\\n1706182847\\n44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"`,
  );
});

test.each([
  ["not JSON", "it is not JSON"],
  [[], 'it has no list "vectors"'],
  [{ vectors: [7] }, "a vector must be a JSON object"],
  [{ vectors: [], rsa: { public_key_pem: "x" } }, "rsa.public_key_pem is not a public key in PEM"],
])("%j is refused: %s", async (file, reason) => {
  const { exitCode, errors } = await check(file);
  expect([exitCode, errors]).toEqual([EXIT.refused, [`- does not hold vectors: ${reason}.`]]);
});

test.each([
  [{ algorithm: "MD5" }, "algorithm must be one of"],
  [{ algorithm: "HMAC-SHA512", path: 7 }, "path is missing"],
  [{ algorithm: "HMAC-SHA512", path: "/a", timestamp: "now" }, "timestamp must be ten digits"],
  [{ algorithm: "HMAC-SHA512", path: "/a", timestamp: 1706182847, body: {} }, "body is missing"],
  [{ algorithm: "HMAC-SHA512", path: "/a", timestamp: 1706182847, body: "{" }, "body is not JSON"],
  [
    { algorithm: "HMAC-SHA512", path: "/a", timestamp: 1706182847, body: "{}" },
    "it has no normalised, message or signature",
  ],
  [
    { name: "check value: one member", algorithm: "HMAC-SHA512", signature: "AA", valid: "yes" },
    "valid must be true or false",
  ],
])("%j cannot be checked, and says why", async (vector, reason) => {
  const { exitCode, printed } = await check({ vectors: [vector] });
  expect(exitCode).toBe(EXIT.refused);
  expect(printed).toContain(`cannot be checked: ${reason}`);
});

test("a file without vectors proves nothing", async () => {
  expect((await check({ vectors: [] })).exitCode).toBe(EXIT.refused);
});
