import { describe, expect, it, vi } from "vitest";
import type { Payment } from "../../sdk/src/index.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { sendRaw } from "../../src/testing/http/raw-http.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { answerIssuer } from "../payer-browser.ts";
import { contractWith, sendable } from "./ask-service.ts";

/** Sends every documented example, and holds every answer, good or bad, to the document. */
const service = useTestService(useTestDatabase());
const { operations, ask } = contractWith(service);
const merchantCalls = operations.filter(({ path }) => path.startsWith("/api/"));
/** Those of the sandbox are sent by test/e2e/sandbox-api.test.ts, which holds every answer to the document too. */
const serviceCalls = operations.filter(({ path }) => !/^\/(api|sandbox)\//.test(path));
const creates = merchantCalls.filter(({ path }) => /\/(payin|payout)$/.test(path));

/** Payments that examples name are those that other examples create; created twice, they are still there once. */
async function createExamplePayments(): Promise<void> {
  for (const { path, requestExamples } of creates) {
    for (const example of Object.values(requestExamples)) await ask(path, sendable(example, projectId()));
  }
}

const CONFIRM_THREE_DS = "/api/v1/payment/ecom/payin/confirm-3ds-result";

/** What an issuer says cannot be written down beforehand: the payer of the example goes and fetches it. */
async function withIssuersWord(path: string, body: Record<string, unknown>): Promise<Record<string, unknown>> {
  if (path !== CONFIRM_THREE_DS) return body;
  const { json } = await ask("/api/v1/payment/ecom/payin/info", { general: body.general });
  const { integration } = json as unknown as Payment;
  if (integration?.three_ds === undefined) return body;
  const { result } = await answerIssuer(integration.three_ds);
  expect(Object.keys(result)).toEqual(Object.keys(body.three_ds as object));
  return { ...body, three_ds: result };
}

const CONFIRM_PAGE = "/api/v1/widget/payin/confirm";

/** Nothing can be confirmed before the payer has chosen on the page. */
async function letPayerChoose(path: string, body: Record<string, unknown>): Promise<void> {
  if (path !== CONFIRM_PAGE) return;
  const { json } = await ask("/api/v1/widget/payin/info", { general: body.general });
  const formUrl = (json as unknown as Payment).integration?.form_url ?? "";
  await fetch(`${formUrl}/choose`, { method: "POST", body: JSON.stringify({ method: "payin-p2p-card" }) });
}

function projectId(): string {
  return service.sandbox().project_id;
}

describe.each(merchantCalls.map((operation) => [operation.path, operation] as const))("POST %s", (path, operation) => {
  it("answers each of its examples as documented", async () => {
    const examples = Object.entries(operation.requestExamples);
    expect(examples.length).toBeGreaterThan(0);
    await createExamplePayments();
    for (const [name, example] of examples) {
      // A confirm is refused until the requisites are out, or the issuer has asked for the payer.
      await letPayerChoose(path, sendable(example, projectId()));
      await vi.waitFor(
        async () => {
          const body = await withIssuersWord(path, sendable(example, projectId()));
          expect([name, (await ask(path, body)).status]).toEqual([name, 200]);
        },
        { timeout: 60_000, interval: 100 },
      );
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
  it.each(bad)("answers %i as documented", async (status, body, headers) => {
    expect((await ask(path, body, { headers })).status).toBe(status);
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
