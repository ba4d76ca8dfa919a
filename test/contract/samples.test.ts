import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { shortIt, sizeOf } from "../../src/testing/run/run-form.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { LANGUAGE_IDS, LANGUAGES, type LanguageId } from "../../web/docs/samples/languages.ts";
import {
  PAYMENT_ID,
  PROJECT_ID,
  type SampleCall,
  type SampleValue,
  sampleCallOf,
} from "../../web/docs/samples/sample.ts";
import type { Contract } from "../../web/docs/site/contract.ts";
import { describeOperations } from "../../web/docs/site/describe-operation.ts";
import { loadContract, readContractDocument } from "./contract.ts";

/** The programs of /docs, saved and run as a reader would. */
const database = useTestDatabase();
const service = useTestService(database);
const operations = describeOperations(readContractDocument() as unknown as Contract);
const calls = operations.flatMap((operation) => sampleCallOf(operation) ?? []);
const signed = operations.filter(({ isSigned }) => isSigned);

const RUNTIMES: Readonly<Record<LanguageId, readonly [program: string, ...words: string[]]>> = {
  shell: ["sh"],
  node: [process.execPath],
  python: ["python3"],
  php: ["php"],
  go: ["go", "run"],
  java: ["java"],
  csharp: ["dotnet", "run"],
};
/** What each needs besides itself, and how it says that it is there. */
const PROBES: Readonly<Record<LanguageId, readonly (readonly [string, string])[]>> = {
  shell: [
    ["curl", "--version"],
    ["openssl", "version"],
  ],
  node: [[process.execPath, "--version"]],
  python: [["python3", "--version"]],
  php: [["php", "--version"]],
  go: [["go", "version"]],
  java: [["javac", "--version"]],
  csharp: [["dotnet", "--version"]],
};
const isThere = (language: LanguageId) =>
  PROBES[language].every(([program, word]) => spawnSync(program, [word]).status === 0);
const present = LANGUAGE_IDS.filter(isThere);
const absent = LANGUAGE_IDS.filter((language) => !present.includes(language));

let place = "";
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), "tillgate-samples-"));
  const namesOf = (ids: readonly LanguageId[]) => ids.map((id) => LANGUAGES[id].name).join(", ") || "none";
  const compiled = sizeOf({ short: present.filter((id) => !QUICK.includes(id)), long: [] });
  const inStress = compiled.length === 0 ? "" : ` By npm run test:stress: ${namesOf(compiled)}.`;
  const ran = namesOf(present.filter((id) => !compiled.includes(id)));
  process.stderr.write(`\nSamples of /docs RUN: ${ran}.${inStress} NOT RUN, no runtime here: ${namesOf(absent)}.\n`);
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

type Ran = { readonly status: number; readonly json: Readonly<Record<string, unknown>> };

async function run(language: LanguageId, source: string): Promise<Ran> {
  const file = join(place, LANGUAGES[language].file);
  writeFileSync(file, source);
  const [program, ...words] = RUNTIMES[language];
  const env = {
    PATH: process.env.PATH,
    HOME: homedir(),
    TILLGATE_SANDBOX: join(service.stateDir, "sandbox.json"),
    GOPROXY: "off",
    GOFLAGS: "-mod=mod",
  };
  const { stdout } = await promisify(execFile)(program, [...words, file], { cwd: place, env });
  const lines = stdout.trimEnd().split("\n");
  return { status: Number(lines.pop()), json: JSON.parse(lines.join("\n")) };
}

const plain = (value: SampleValue): unknown => {
  if (value === PROJECT_ID) return "0198c6a15f3b7c0e8d2a4b6c8e0f1a2b";
  if (value === PAYMENT_ID) return "order-1";
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
};

describe("every signed call", () => {
  shortIt("has a sample", () => {
    expect(signed.length).toBeGreaterThan(15);
    expect(calls.map(({ path }) => path)).toEqual(signed.map(({ path }) => path));
  });

  shortIt("has a body that the contract takes", () => {
    const contract = loadContract();
    for (const { path, body } of calls) {
      const operation = contract.operations.find((each) => each.path === path);
      expect([path, operation?.validateRequest(plain(body))]).toEqual([path, []]);
    }
  });

  shortIt.each(LANGUAGE_IDS)("is written whole in %s", (language) => {
    for (const call of calls) {
      const source = LANGUAGES[language].write(call);
      expect(source).toContain(call.path);
      expect(source).toContain(LANGUAGES[language].file.split(".")[1]);
      expect(source).toContain("HMAC-SHA512-V2");
      expect(source).not.toMatch(/undefined|Symbol|\[object|shop\.example/);
      expect(source.includes("payment_id")).toBe(call.paymentId !== undefined);
    }
  });
});

/** A call about a payment is given the one that the call before it created. */
function sourceFor(language: LanguageId, call: SampleCall, lastPaymentId: string | undefined): string {
  const source = LANGUAGES[language].write(call);
  if (call.paymentId === undefined || call.paymentId.isNew || lastPaymentId === undefined) return source;
  return source.replaceAll(call.paymentId.text, lastPaymentId);
}

const SHORT: readonly string[] = ["/api/v1/payment/p2p/payin", "/api/v1/payment/p2p/payin/info"];
/** These start in an instant. Compilers do not: they are run by `npm run test:stress`, with fewer calls. */
const QUICK: readonly LanguageId[] = ["shell", "node", "python", "php"];

describe("as copied, against a service", () => {
  const timeout = sizeOf({ short: 120_000, long: 1_200_000 });
  const withRuntime = sizeOf({ short: QUICK, long: LANGUAGE_IDS }).map((language) => ({
    language,
    run: it.skipIf(absent.includes(language)),
  }));
  for (const { language, run: test } of withRuntime) test(language, { timeout }, () => runCalls(language));

  async function runCalls(language: LanguageId): Promise<void> {
    const isQuick = QUICK.includes(language);
    const some = sizeOf({
      short: calls.filter(({ path }) => SHORT.includes(path)),
      long: calls.filter(({ path, paymentId }) => isQuick || SHORT.includes(path) || paymentId === undefined),
    });
    expect(some.length).toBeGreaterThan(0);
    let lastPaymentId: string | undefined;
    for (const call of some) {
      const { status, json } = await run(language, sourceFor(language, call, lastPaymentId));
      const isAct = /\/(confirm|cancel|confirm-3ds-result|act|clock)$/.test(call.path);
      // What may be done to a payment depends on how far it is by now. All else of the call is right.
      expect([call.path, status, json.code ?? ""]).toEqual([
        call.path,
        isAct ? expect.toBeOneOf([200, 404, 409, 422]) : 200,
        isAct ? expect.anything() : "",
      ]);
      if (call.paymentId?.isNew) lastPaymentId = String(json.payment_id);
    }
  }
});
