import { expect } from "vitest";
import { type Credentials, credentialsFromSandboxFile, signRequest } from "../../sdk/src/index.ts";
import { type RawAnswer, sendRaw } from "../../src/testing/http/raw-http.ts";
import type { TestService } from "../../src/testing/service/test-service.ts";
import { type ContractOperation, loadContract } from "./contract.ts";

type AskOptions = {
  /** Whose keys sign; by default the sandbox's. */
  readonly credentials?: Credentials;
  /** Put in place of what was signed. */
  readonly headers?: Readonly<Record<string, string>>;
};

export type Ask = (path: string, body: unknown, options?: AskOptions) => Promise<RawAnswer>;

const CONTRACT = loadContract();

/** Sends signed calls, and holds every answer to the document, whatever the test is about. */
export function contractWith(service: TestService): { readonly operations: readonly ContractOperation[]; ask: Ask } {
  const ask: Ask = async (
    path,
    body,
    { credentials = credentialsFromSandboxFile(service.sandbox()), headers } = {},
  ) => {
    const rawBody = typeof body === "string" ? body : JSON.stringify(body);
    const timestamp = Math.floor(Date.now() / 1000);
    const signed = { ...signRequest({ credentials, path, rawBody, timestamp }), ...headers };
    const answer = await sendRaw({ url: service.url() + path, headers: Object.entries(signed), body: rawBody });
    const operation = CONTRACT.operations.find((each) => each.path === path);
    expect([path, answer.status, operation?.validateAnswer(answer.status, JSON.parse(answer.text))]).toEqual([
      path,
      answer.status,
      [],
    ]);
    expect(answer.headers["x-request-id"]).toMatch(/^[0-9a-f]{32}$/);
    return answer;
  };
  return { operations: CONTRACT.operations, ask };
}

/**
 * The document's examples name a made-up project and a shop's servers. The sandbox's own project takes the one's place;
 * the others are left out, since tests call nobody.
 */
export function sendable(example: unknown, projectId: string): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(example, (name, value) =>
      name === "project_id" ? projectId : /_callback_url$/.test(name) ? undefined : value,
    ),
  );
}
