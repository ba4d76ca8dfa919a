import { describe, expect, it } from "vitest";
import { credentialsFromSandboxFile, signRequest } from "../../sdk/src/index.ts";
import { sendRaw } from "../../src/testing/raw-http.ts";
import { useTestDatabase } from "../../src/testing/test-database.ts";
import { useTestService } from "../../src/testing/test-service.ts";
import { loadContract } from "./contract.ts";

/** Sends every documented example, and holds every answer, good or bad, to the document. */
const service = useTestService(useTestDatabase());
const { operations } = loadContract();
const merchantCalls = operations.filter(({ path }) => path.startsWith("/api/"));
const serviceCalls = operations.filter(({ path }) => !path.startsWith("/api/"));

/** The document's examples name a made-up project; the sandbox's own takes its place. */
function withSandboxProject(example: unknown): string {
  return JSON.stringify(example, (name, value) => (name === "project_id" ? service.sandbox().project_id : value));
}

function sign(path: string, body: string, change: Record<string, string> = {}): [string, string][] {
  const credentials = credentialsFromSandboxFile(service.sandbox());
  const timestamp = Math.floor(Date.now() / 1000);
  return Object.entries({ ...signRequest({ credentials, path, rawBody: body, timestamp }), ...change });
}

describe.each(merchantCalls.map((operation) => [operation.path, operation] as const))("POST %s", (path, operation) => {
  it("answers each of its examples as documented", async () => {
    const examples = Object.entries(operation.requestExamples);
    expect(examples.length).toBeGreaterThan(0);
    for (const [name, example] of examples) {
      const body = withSandboxProject(example);
      const answer = await sendRaw({ url: service.url() + path, headers: sign(path, body), body });
      expect([name, answer.status]).toEqual([name, 200]);
      expect(operation.validateAnswer(answer.status, JSON.parse(answer.text))).toEqual([]);
    }
  });

  const bad: [number, string, Record<string, string>][] = [
    [400, '{"general":{}}', {}],
    [400, '{"general":', {}],
    [401, '{"general":{"project_id":"x"}}', { "x-access-signature": "AAAA" }],
    [403, '{"general":{"project_id":"x"}}', {}],
    [413, " ".repeat(70_000), {}],
    [415, "{}", { "content-type": "text/plain" }],
  ];
  it.each(bad)("answers %i as documented", async (status, body, change) => {
    const answer = await sendRaw({ url: service.url() + path, headers: sign(path, body, change), body });
    expect(answer.status).toBe(status);
    expect(operation.validateAnswer(status, answer.json)).toEqual([]);
  });

  it("answers 405 as documented", async () => {
    const answer = await sendRaw({ url: service.url() + path, method: "GET" });
    expect(answer.status).toBe(405);
    expect(operation.validateAnswer(405, answer.json)).toEqual([]);
  });
});

it.each(serviceCalls.map((operation) => [operation.path, operation] as const))(
  "GET %s answers as documented",
  async (path, operation) => {
    const answer = await fetch(service.url() + path);
    const text = await answer.text();
    const isJson = answer.headers.get("content-type")?.startsWith("application/json") === true;
    expect(answer.status).toBe(200);
    expect(operation.validateAnswer(200, isJson ? JSON.parse(text) : text)).toEqual([]);
  },
);

it("serves the document as it stands in the repository, and a page of it that loads nothing", async () => {
  const page = await fetch(`${service.url()}/docs`);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(await page.text()).toContain("/api/v1/balance/info");
});
