import { type CallbackVerdict, verdictOn } from "../../core/callbacks/answer.ts";
import { chooseCallbackUrl } from "../../core/callbacks/callback-url.ts";
import { stateOfTest, type TestEvent, testCallbackBody } from "../../core/callbacks/test-callback.ts";
import { maskNumbers } from "../../core/mask-numbers.ts";
import { findMerchantUrlFault } from "../../core/merchants/merchant-url.ts";
import { type AccountFault, accountFault } from "../../core/people/account-fault.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Clock } from "../../platform/clock.ts";
import type { EgressAnswer } from "../../platform/http-out/answer.ts";
import type { Egress } from "../../platform/http-out/egress.ts";
import { newId } from "../../platform/new-id.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { lockProject } from "../../store/merchants/projects.ts";
import { countLatestAuditLines } from "../../store/people/audit-log.ts";
import type { Directory } from "../merchants/directory.ts";
import { audit } from "../people/audit.ts";
import type { SignCallback } from "./callback-signer.ts";
import type { ProjectChange } from "./project-callbacks.ts";

/** What real callbacks are signed and sent by. */
export type CallbackTestDeps = { readonly egress: Egress; readonly signCallback: SignCallback };

type Deps = CallbackTestDeps & {
  readonly db: Database;
  readonly clock: Clock;
  readonly mode: "development" | "production";
  readonly currentDirectory: () => Directory | Promise<Directory>;
};

export type TestWish = { readonly event: TestEvent; readonly url: string | undefined };

export type TestedCallback = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly verdict: CallbackVerdict;
  readonly latencyMs: number;
  /** Why there is no answer; undefined where there is one. */
  readonly failure: string | undefined;
  readonly answer: TestAnswer | undefined;
};

type TestAnswer = {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  readonly truncated: boolean;
};

/** So many in a minute, for a project: a test is for a person who watches it. All processes together, since the audit log counts. */
const TESTS_MAX = 10;
const WITHIN_S = 60;
const ACTION = "callbacks.test";

/**
 * Sends one signed example to the project's URL, or to the one that is given, by the same way as real ones: the same key, guard of
 * addresses and time-outs. It is written down before it is sent, and no row of a payment's callbacks is made. No transaction is open
 * while it is sent.
 */
export async function testCallback(
  deps: Deps,
  change: ProjectChange,
  wish: TestWish,
): Promise<Result<TestedCallback, AccountFault>> {
  const project = (await deps.currentDirectory()).projects.get(change.projectId);
  if (project === undefined) return fail(accountFault("not_found", "there is no such project"));
  const url = wish.url ?? chooseCallbackUrl(stateOfTest(wish.event), NO_URLS, project);
  if (url === null) return fail(accountFault("wrong_state", "the project has no callback URL: set one, or give one"));
  const wrong = findMerchantUrlFault(url, "callback", deps.mode);
  if (wrong !== undefined) {
    const fields = [{ field: "url", ...wrong }];
    return fail({ ...accountFault("validation_failed", `url ${wrong.message}`), fields });
  }
  const refused = await deps.db.transaction((tx) => takeTest(tx, change, { event: wish.event, url }));
  if (refused !== undefined) return fail(refused);
  const eventId = newId();
  const createdAt = new Date(deps.clock.nowMs());
  const body = testCallbackBody(wish.event, { projectId: project.id, eventId, createdAt });
  const text = JSON.stringify(body);
  const headers = await deps.signCallback(project, { eventId, text, body });
  const sent = { method: "POST", url, owner: project.id, headers, body: text, showsHeaders: true } as const;
  return ok({ url, headers, body: text, ...outcomeOf(await deps.egress.send(sent)) });
}

const NO_URLS = { callbackUrl: null, successCallbackUrl: null, declineCallbackUrl: null };

/** The project is locked, so that tests are counted one after the other. */
async function takeTest(
  tx: Transaction,
  { merchantId, projectId, actor }: ProjectChange,
  after: { readonly event: TestEvent; readonly url: string },
): Promise<AccountFault | undefined> {
  const project = await lockProject(tx, projectId);
  if (project?.merchantId !== merchantId) return accountFault("not_found", "there is no such project");
  const line = { merchantId, actor, action: ACTION, subject: projectId as string };
  if ((await countLatestAuditLines(tx, line, WITHIN_S)) >= TESTS_MAX) {
    const message = `at most ${TESTS_MAX} test callbacks a minute are sent for a project`;
    return { ...accountFault("rate_limited", message), retryAfterS: WITHIN_S };
  }
  await audit(tx, { ...line, after });
  return undefined;
}

function outcomeOf(answer: EgressAnswer): Pick<TestedCallback, "verdict" | "latencyMs" | "failure" | "answer"> {
  const { latencyMs } = answer;
  if (answer.kind !== "answered")
    return { verdict: verdictOn(undefined), latencyMs, failure: answer.reason, answer: undefined };
  const { status, shownHeaders: headers = [], bodyStart, truncated } = answer;
  const body = maskNumbers(bodyStart).toString("utf8");
  return { verdict: verdictOn(status), latencyMs, failure: undefined, answer: { status, headers, body, truncated } };
}
