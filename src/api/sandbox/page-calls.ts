import { configureProject } from "../../app/merchants/merchants.ts";
import type { DeskDeps } from "../../app/sandbox/desk/desk-deps.ts";
import type { Fault } from "../../core/errors.ts";
import { validationFault } from "../../core/errors.ts";
import type { Id } from "../../core/ids.ts";
import { findMerchantUrlFault } from "../../core/merchants/merchant-url.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { MerchantDeps } from "../merchant/call.ts";
import { type CallbackUrlBody, callbackUrlBody, type TesterCallBody, testerCallBody } from "./bodies.ts";
import { DESK_CALLS, type DeskCall } from "./desk-calls.ts";
import { callAsMerchant } from "./tester-calls.ts";

export type PageCallDeps = MerchantDeps & { readonly desk: DeskDeps };

/** A call of the doors that a page stands behind. */
export type PageCall = Omit<DeskCall, "answer"> & {
  readonly answer: (deps: PageCallDeps, projectId: Id, body: never) => Promise<Result<object, Fault>>;
};

/** The desk's calls; and calls of the merchant API, which a merchant's program would sign itself. */
export const PAGE_CALLS: readonly PageCall[] = [
  ...DESK_CALLS.map(({ answer, ...call }) => ({
    ...call,
    answer: ({ desk }: PageCallDeps, projectId: Id, body: never) => answer(desk, projectId, body),
  })),
  {
    name: "call",
    body: testerCallBody,
    answer: async (deps, projectId, { path, body }: TesterCallBody) =>
      ok(await callAsMerchant(deps, projectId, { path, body })),
  },
];

/** In development mode no person is signed in who could change the project's settings in the account. */
export const DEVELOPMENT_CALLS: readonly PageCall[] = [
  ...PAGE_CALLS,
  {
    name: "callbacks/url",
    body: callbackUrlBody,
    answer: async ({ db, mode }, projectId, { url }: CallbackUrlBody) => {
      const wrong = findMerchantUrlFault(url, "callback", mode);
      if (wrong !== undefined) return fail(validationFault([{ field: "url", ...wrong }]));
      await configureProject(db, projectId, { settings: { callbackUrl: url } });
      return ok({});
    },
  },
];
