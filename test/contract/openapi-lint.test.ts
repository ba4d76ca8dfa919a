import { execFile } from "node:child_process";
import { createSecretKey } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createConfig, lint } from "@redocly/openapi-core";
import { describe, expect, test } from "vitest";
import { HTTP_STATUS } from "../../src/api/errors.ts";
import { MERCHANT_CALLS } from "../../src/api/merchant/routes.ts";
import { plainText } from "../../src/api/merchant/text-forms.ts";
import { signedDeskCalls } from "../../src/api/sandbox/signed-door.ts";
import { type OrRef, readContract, resolve, type Schema } from "../../src/api/service/contract-document.ts";
import { parseMarkdown } from "../../src/api/service/render-markdown.ts";
import { ERROR_CODES, type FieldFaultCode } from "../../src/core/errors.ts";
import { ALGORITHMS, signedMessage, verifySignature } from "../../src/platform/signing.ts";
import { CONTRACT_FILE, listExamples, loadContract, readContractDocument } from "./contract.ts";

const document = readContractDocument() as {
  readonly info: { readonly description: string };
  readonly components: {
    readonly schemas: {
      readonly ErrorCode: { readonly enum: readonly string[] };
      readonly FieldError: { readonly properties: { readonly code: { readonly enum: readonly string[] } } };
    };
    readonly parameters: {
      readonly AccessMerchantAlgorithm: { readonly schema: { readonly enum: readonly string[] } };
    };
  };
};
const { operations, validateCallback } = loadContract();
const DESK_CALLS = signedDeskCalls({} as never);
const introduction = parseMarkdown(document.info.description);

const contract = readContract(readFileSync(CONTRACT_FILE, "utf8"));

/** What a schema of the document says beyond the code's: words, what an absent member means, and the rules of a body. */
const BEYOND = ["description", "default", "format", "anyOf", "allOf", "oneOf"];

/** A schema as the service's own code would write it: in place of references, and without what it says beyond that. */
function bareSchema(from: OrRef<Schema>): unknown {
  const whole = Object.entries(resolve(contract, from)).filter(([name]) => !BEYOND.includes(name));
  const { properties, ...rest } = Object.fromEntries(whole) as Schema;
  if (rest.minLength === 0) delete (rest as { minLength?: number }).minLength;
  // A list of words needs no type beside it; the code leaves it out.
  if (rest.enum !== undefined) delete (rest as { type?: unknown }).type;
  if (properties === undefined) return rest;
  const bare = Object.entries(properties).map(([name, member]) => [name, bareSchema(member)]);
  return { ...rest, properties: Object.fromEntries(bare) };
}

/**
 * The rules of a create leave less room for these than its schema: the document says what the rules say, and
 * enforced.test.ts compares what comes of both.
 */
const RULED =
  /^(method|type|currency|payment_system|widget_method|(merchant_(success_|decline_)?callback|redirect)_url|email)$/;

/** Written for tools that know no Unicode properties. Halves of surrogate pairs never get as far as a schema. */
const PLAIN_DOCUMENTED = "^[^\\u0000-\\u001F\\u007F-\\u009F\\u202A-\\u202E\\u2066-\\u2069]*$";

const { pattern: PLAIN } = plainText(0, 0) as { readonly pattern?: string };

function withoutRuled(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema), (name, member) => {
    if (name === "pattern" && member === PLAIN) return PLAIN_DOCUMENTED;
    if (name !== "properties") return member;
    return Object.fromEntries(Object.entries(member).map(([each, value]) => [each, RULED.test(each) || value]));
  });
}

/** They take no input, so there is no 4xx that they could answer with. */
const WITHOUT_4XX = ["/healthz", "/readyz", "/.well-known/tillgate-keys.json", "/docs", "/docs/openapi.yaml"];

test("the document breaks no rule of the recommended set, warnings included", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = (await lint({ ref: fileURLToPath(CONTRACT_FILE), config })).map(
    ({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`,
  );
  const excepted = WITHOUT_4XX.map(
    (path) => `operation-4xx-response #/paths/${path.replaceAll("/", "~1")}/get/responses`,
  );
  expect(problems.sort()).toEqual(excepted.sort());
});

describe("the document and the code name the same", () => {
  test("merchant calls", () => {
    const documented = operations
      .filter(({ path }) => path.startsWith("/api/"))
      .map(({ method, path }) => [method, path]);
    expect(documented.sort()).toEqual(MERCHANT_CALLS.map(({ path }) => ["POST", path]).sort());
  });

  test("calls of the sandbox", () => {
    const documented = operations
      .filter(({ path }) => path.startsWith("/sandbox/"))
      .map(({ method, path }) => [method, path]);
    expect(documented.sort()).toEqual(DESK_CALLS.map(({ path }) => ["POST", path]).sort());
  });

  test.each([...MERCHANT_CALLS, ...DESK_CALLS])("members of the body of $path", ({ path, body }) => {
    const schema = contract.paths[path]?.post?.requestBody?.content["application/json"]?.schema ?? {};
    expect(withoutRuled(bareSchema(schema))).toEqual(withoutRuled(bareSchema(JSON.parse(JSON.stringify(body)))));
  });

  test("error codes", () => {
    expect(document.components.schemas.ErrorCode.enum).toEqual(ERROR_CODES);
  });

  test("codes of wrong members", () => {
    const codes = {
      required: true,
      unknown_member: true,
      wrong_type: true,
      not_integer: true,
      too_small: true,
      too_big: true,
      too_short: true,
      too_long: true,
      bad_format: true,
      not_allowed: true,
    } satisfies Record<FieldFaultCode, true>;
    expect(document.components.schemas.FieldError.properties.code.enum).toEqual(Object.keys(codes));
  });

  test("algorithms", () => {
    expect(document.components.parameters.AccessMerchantAlgorithm.schema.enum).toEqual(Object.keys(ALGORITHMS));
  });

  test("HTTP statuses, in the tables of error codes", () => {
    const rows = introduction.flatMap((block) =>
      block.kind === "table" && block.headings[1] === "HTTP" ? block.rows : [],
    );
    const documented = rows.map(([code = "", status = ""]) => [code.replaceAll("`", ""), Number(status)]);
    expect(documented.sort()).toEqual(Object.entries(HTTP_STATUS).sort());
  });
});

describe("every example fits its schema", () => {
  const examples = listExamples();

  test.each(examples)("$at", ({ value, validate }) => {
    expect(validate(value)).toEqual([]);
  });

  test("each merchant call has a request and an answer to show", () => {
    for (const { path } of [...MERCHANT_CALLS, ...DESK_CALLS]) {
      const operation = operations.find((each) => each.path === path);
      expect(Object.keys(operation?.requestExamples ?? {})).not.toEqual([]);
      const answer = `#/paths/${path.replaceAll("/", "~1")}/post/responses/200/`;
      expect(examples.filter(({ at }) => at.startsWith(answer))).not.toEqual([]);
    }
  });
});

describe("an answer is held to the document", () => {
  const balanceInfo = operations.find(({ path }) => path === "/api/v1/balance/info");
  const validate = (status: number, body: unknown) => balanceInfo?.validateAnswer(status, body);
  const error = { status: "error", sub_status: null, status_description: "no", code: "rate_limited", errors: [] };

  test("one that fits has no faults", () => {
    expect(validate(200, { balance: [{ currency: "RUB", amount: 1, locked_amount: 0 }] })).toEqual([]);
    expect(validate(429, error)).toEqual([]);
  });

  test("an undocumented status is a fault", () => {
    expect(validate(418, {})).toEqual(["the status 418 is not documented"]);
  });

  test.each([
    ["a missing member", 200, { balance: [{ currency: "RUB", amount: 1 }] }],
    ["a member that is not described", 200, { balance: [{ currency: "RUB", amount: 1, locked_amount: 0, note: "" }] }],
    ["null for zero", 200, { balance: [{ currency: "RUB", amount: 1, locked_amount: null }] }],
    ["a sum below zero", 200, { balance: [{ currency: "RUB", amount: -1, locked_amount: 0 }] }],
    ["a code that belongs to another status", 400, error],
    ["an error that says more than is described", 429, { ...error, stack: "at …" }],
  ])("%s is a fault", (_name, status, body) => {
    expect(validate(status, body)).toHaveLength(1);
  });
});

type Vector = {
  readonly name: string;
  readonly valid: boolean;
  readonly algorithm: keyof typeof ALGORITHMS;
  readonly body: string;
  readonly message: string;
  readonly normalised?: string;
  readonly sha256_of_message?: string;
  readonly signature: string;
};

describe("the introduction", () => {
  const codeBlocks = introduction.flatMap((block) => (block.kind === "code" ? [block.text] : []));

  test("shows the check values of the signing vectors", () => {
    const file = readFileSync(new URL("../../docs/signing-vectors.json", import.meta.url), "utf8");
    const { vectors, hmac } = JSON.parse(file) as { vectors: readonly Vector[]; hmac: { secret: string } };
    const [scheme1, scheme2] = (["HMAC-SHA512", "HMAC-SHA512-V2"] as const).map((algorithm) =>
      vectors.find((vector) => vector.valid && vector.algorithm === algorithm),
    );
    expect(codeBlocks.slice(1, -1)).toEqual([
      scheme1?.body,
      scheme1?.normalised,
      scheme1?.message,
      scheme1?.sha256_of_message,
      scheme1?.signature,
      scheme2?.message,
      scheme2?.signature,
    ]);
    expect(document.info.description).toContain(hmac.secret);
  });

  test("shows a callback", () => {
    expect(validateCallback(JSON.parse(codeBlocks.at(-1) ?? ""))).toEqual([]);
  });

  test("begins with a program that signs a call correctly", async () => {
    const seen = await runFirstCall(codeBlocks[0] ?? "");
    expect(seen.output).toBe("200 { balance: [] }\n");
    expect(seen.verified).toBe(true);
  });
});

const SANDBOX = {
  merchant_id: "0198c6a15f3b7c0e8d2a4b6c8e0f1a2a",
  project_id: "0198c6a15f3b7c0e8d2a4b6c8e0f1a2b",
  hmac_key_id: "ak_00000000000000000000000000000000",
  hmac_secret: "a-secret-of-this-test",
};

/** Runs the program of the introduction against a server that answers, and says whether its signature was right. */
async function runFirstCall(program: string): Promise<{ output: string; verified: boolean }> {
  const directory = mkdtempSync(join(tmpdir(), "tillgate-first-call-"));
  let verified = false;
  const server = createServer(async (request, response) => {
    verified = await isSigned(request, Buffer.concat(await request.toArray()));
    response.setHeader("content-type", "application/json").end('{"balance":[]}');
  });
  try {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    mkdirSync(join(directory, ".tillgate"));
    writeFileSync(join(directory, ".tillgate", "sandbox.json"), JSON.stringify({ ...SANDBOX, base_url }));
    writeFileSync(join(directory, "balance.mjs"), program);
    const { stdout } = await promisify(execFile)(process.execPath, ["balance.mjs"], { cwd: directory });
    return { output: stdout, verified };
  } finally {
    server.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function isSigned({ method = "", url = "", headers }: IncomingMessage, rawBody: Buffer): Promise<boolean> {
  const timestamp = String(headers["x-access-timestamp"]);
  const message = signedMessage(2, { method, path: url, timestamp, rawBody, body: null });
  const signature = Buffer.from(String(headers["x-access-signature"]), "base64url");
  return (
    headers["content-type"] === "application/json" &&
    headers["x-access-merchant-id"] === SANDBOX.merchant_id &&
    headers["x-access-token"] === SANDBOX.hmac_key_id &&
    headers["x-access-merchant-algorithm"] === "HMAC-SHA512-V2" &&
    rawBody.toString() === JSON.stringify({ general: { project_id: SANDBOX.project_id } }) &&
    (await verifySignature("HMAC-SHA512-V2", createSecretKey(Buffer.from(SANDBOX.hmac_secret)), message, signature))
  );
}
