import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type ErrorCode, hasCode, TillgateApiError, TillgateSignatureError } from "../src/index.ts";
import { json, startServer } from "./local-server.ts";
import { clientOf, failureOf, fault, reset } from "./test-client.ts";

const document = parse(readFileSync(new URL("../../docs/openapi.yaml", import.meta.url), "utf8"));
const codes: ErrorCode[] = document.components.schemas.ErrorCode.enum;

const errorOf = (code: string, httpStatus = 422) =>
  new TillgateApiError({ httpStatus, code, description: "", fieldErrors: [], requestId: "", retryAfterS: 0 });
const FOREIGN = errorOf("a_code_of_later").advice;

describe("the advice of an error", () => {
  it("is a sentence of its own for every code of the contract", () => {
    const sentences = codes.map((code) => errorOf(code).advice);
    expect(codes.length).toBeGreaterThan(20);
    expect(new Set([...sentences, FOREIGN]).size).toBe(codes.length + 1);
    for (const sentence of sentences) expect(sentence).toMatch(/^\S.*\.$/s);
  });

  it("names only members that there are", () => {
    const known = ["fieldErrors", "retryAfterS", "requestId", "baseUrl", "merchantId", "projectId"];
    const named = codes.flatMap((code) => errorOf(code).advice.match(/\b[a-z]+[A-Z]\w+/g) ?? []);
    expect(known).toEqual(expect.arrayContaining([...new Set(named)]));
  });

  it("repeats the rule of unknown outcomes after a 5xx, and after a refusal that followed silence", async () => {
    expect(errorOf("internal_error", 500).advice).toContain("never use a new payment_id");
    expect(errorOf("rate_limited", 429).advice).not.toContain("never use a new payment_id");
    await using server = await startServer(reset, json(401, fault("signature_invalid")));
    const error = await failureOf(clientOf(server.url).client.p2p.payin.info("ord-771"));
    expect(error.advice).toContain("Check merchantId");
    expect(error.advice).toContain("never use a new payment_id");
  });

  it("says for a callback what to check", () => {
    expect(new TillgateSignatureError("signature_mismatch", "").advice).toContain("before any JSON parser");
  });
});

describe("hasCode", () => {
  it("takes an error of the service with one of the codes, and nothing else", () => {
    expect(hasCode(errorOf("wrong_state"), "payment_not_found", "wrong_state")).toBe(true);
    expect(hasCode(errorOf("wrong_state"), "payment_not_found")).toBe(false);
    expect(hasCode({ code: "wrong_state" }, "wrong_state")).toBe(false);
    expect(hasCode(undefined, "wrong_state")).toBe(false);
  });

  it("takes codes of the contract only, and narrows to them", () => {
    const error: unknown = errorOf("wrong_state");
    // @ts-expect-error: no such code
    expect(hasCode(error, "wrong_sate")).toBe(false);
    if (!hasCode(error, "wrong_state", "bank_unknown")) throw new Error("unreachable");
    const code: "wrong_state" | "bank_unknown" = error.code;
    expect(code).toBe("wrong_state");
  });
});
