import { expect, it } from "vitest";
import type { OpenProvider } from "../../app/providers/open-provider.ts";
import { adviseOnProbe } from "./probe-advice.ts";

const PROVIDER = {
  code: "gate",
  baseUrl: "https://gate.example",
  settings: { merchantId: "m", projectId: "p" },
  ...{ kind: "upstream", book: "live", createdAt: new Date(0), retiredAt: null, keys: [] },
} as OpenProvider;

it.each([
  [{ kind: "not_understood", status: 404 }, "it ends before /api/v1"],
  [{ kind: "not_understood", status: 302 }, "give its final --base-url"],
  [{ kind: "not_understood", status: 502 }, "try again later, and ask the provider"],
  [{ kind: "no_answer", reason: "truncated" }, "longer than 1 MB"],
  [{ kind: "no_answer", reason: "timeout" }, "No answer within 10000 ms"],
  [{ kind: "refused", status: 400, code: "validation_failed" }, "check --project-id"],
  [{ kind: "refused", status: 403, code: "project_inactive" }, "Ask the provider what it means."],
] as const)("%j: … %s", (failed, advice) => {
  expect(adviseOnProbe(PROVIDER, failed)).toContain(advice);
});
