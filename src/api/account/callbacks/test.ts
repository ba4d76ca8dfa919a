import { Type } from "typebox";
import { type TestedCallback, testCallback } from "../../../app/callbacks/test-callback.ts";
import { TEST_EVENTS } from "../../../core/callbacks/test-callback.ts";
import { MERCHANT_URL_MAX } from "../../../core/merchants/merchant-url.ts";
import { fail, ok } from "../../../core/result.ts";
import { CLOSED } from "../../merchant/blocks.ts";
import { plainText } from "../../merchant/text-forms.ts";
import { NO_PROJECT } from "../report-query.ts";
import { post } from "../route.ts";
import { findOwnProject } from "./project-of.ts";

export const CALLBACK_TEST_ROUTES = [
  post({
    path: "callbacks/projects/:project_id/test",
    right: "callbacks.manage",
    stepUp: false,
    body: Type.Object(
      { event: Type.Enum([...TEST_EVENTS]), url: Type.Optional(plainText(1, MERCHANT_URL_MAX)) },
      CLOSED,
    ),
    handler: async (deps, call) => {
      const own = await findOwnProject(deps, call);
      if (own === undefined) return fail(NO_PROJECT);
      const { event, url } = call.body;
      const tested = await testCallback(deps, own.change, { event, url });
      return tested.ok ? ok({ json: testedJson(tested.value) }) : tested;
    },
  }),
];

function testedJson({ url, headers, body, verdict, latencyMs, failure, answer }: TestedCallback): object {
  return {
    request: { url, headers: Object.entries(headers), body },
    ...{ verdict, latency_ms: latencyMs, failure: failure ?? null, answer: answer ?? null },
  };
}
