import type { Readable } from "node:stream";
import { type Static, type TSchema, Type } from "typebox";
import type { CallbackTestDeps } from "../../app/callbacks/test-callback.ts";
import type { BatchDeps } from "../../app/payout-batches/batch-deps.ts";
import type { Owner } from "../../app/people/manage-factors.ts";
import type { Caller, PeopleDeps } from "../../app/people/people-deps.ts";
import type { SessionInUse } from "../../app/people/sessions.ts";
import type { ReportDeps } from "../../app/reports/report-deps.ts";
import { findId, type Id } from "../../core/ids.ts";
import type { AccountFault } from "../../core/people/account-fault.ts";
import type { Actor } from "../../core/people/actor.ts";
import type { Right, Role } from "../../core/people/rights.ts";
import type { Result } from "../../core/result.ts";
import type { Secret } from "../../platform/secret.ts";
import { CLOSED } from "../merchant/blocks.ts";
import type { PageCallDeps } from "../sandbox/page-calls.ts";

/** What the account's handlers stand on. */
export type AccountDeps = PeopleDeps &
  ReportDeps &
  BatchDeps &
  CallbackTestDeps &
  PageCallDeps & {
    readonly mode: "development" | "production";
    /** A batch of payouts is to be made: the worker of this process, if it has one, need not wait for its next look. */
    readonly wakeBatchMaker: () => void;
  };

/** Who may call a route: anyone, everyone who is signed in, or those whose role in the chosen merchant has a right. */
export type Access = "anyone" | "signed-in" | Right;

type CallParts<Body, Query> = {
  /** The parts of the path, such as `:id`. They are not checked: an id that is none is one that is not found. */
  readonly params: Readonly<Record<string, string>>;
  readonly body: Body;
  readonly query: Query;
  readonly caller: Caller;
  /** The page's own, which the door has checked; empty where a GET has none. */
  readonly origin: string;
};
type AnyoneCall<Body = unknown, Query = unknown> = CallParts<Body, Query> & {
  /** It may still await its second factor. */
  readonly session: SessionInUse | undefined;
};
export type SignedInCall<Body = unknown, Query = unknown> = CallParts<Body, Query> & {
  readonly session: SessionInUse;
  readonly actor: Extract<Actor, { kind: "person" }>;
};
export type MemberCall<Body = unknown, Query = unknown> = SignedInCall<Body, Query> & {
  readonly merchantId: Id;
  readonly role: Role;
};

type CallOf<A extends Access, Body, Query> = A extends "anyone"
  ? AnyoneCall<Body, Query>
  : A extends "signed-in"
    ? SignedInCall<Body, Query>
    : MemberCall<Body, Query>;

type AccountAnswer =
  | {
      readonly json: unknown;
      /** The cookie's new value; null takes the cookie away. */
      readonly session?: Secret<string> | null;
      /** The person who signed in just now: the browser is marked for them. */
      readonly signedIn?: string;
    }
  | {
      readonly stream: Readable;
      readonly type: string;
      readonly fileName: string;
      /** How many lines the file has after its header, so that a page can show progress. */
      readonly lineCount: number;
    };

export type AccountResult = Promise<Result<AccountAnswer, AccountFault>>;

/** One row of the table: what a request needs, and what answers it. */
export type AccountRoute = {
  readonly method: "GET" | "POST";
  /** Below `/account/api/`. */
  readonly path: string;
  readonly right: Access;
  /** Whether the second factor must have been given again, within the last ten minutes. */
  readonly stepUp: boolean;
  readonly body: TSchema;
  readonly query: TSchema;
  /** Of the few that take more than a form: who asks is then checked before the body is read. */
  readonly bodyBytesMax?: number;
  readonly handler: (deps: AccountDeps, call: MemberCall) => AccountResult;
};

const NOTHING = Type.Object({}, CLOSED);
type Nothing = typeof NOTHING;

/** A row that reads. */
export function get<A extends Access, Q extends TSchema = Nothing>(row: {
  readonly path: string;
  readonly right: A;
  readonly query?: Q;
  readonly handler: (deps: AccountDeps, call: CallOf<A, unknown, Static<Q>>) => AccountResult;
}): AccountRoute {
  const { path, right, query = NOTHING, handler } = row;
  return {
    method: "GET",
    path,
    right,
    stepUp: false,
    body: NOTHING,
    query,
    handler: handler as AccountRoute["handler"],
  };
}

/** A row that changes something, or that takes what no log may see. */
export function post<A extends Access, B extends TSchema = Nothing>(row: {
  readonly path: string;
  readonly right: A;
  readonly stepUp: boolean;
  readonly body?: B;
  readonly bodyBytesMax?: number;
  readonly handler: (deps: AccountDeps, call: CallOf<A, Static<B>, unknown>) => AccountResult;
}): AccountRoute {
  const { body = NOTHING, handler, ...rest } = row;
  return { ...rest, method: "POST", body, query: NOTHING, handler: handler as AccountRoute["handler"] };
}

/** The person who is signed in, as the owner of their passwords and factors. */
export function ownerOf({ session, actor }: SignedInCall): Owner {
  return { id: session.personId, email: session.email, actor };
}

/** What cannot be an id is one that no row has. */
const NO_ID = "0".repeat(32) as Id;

export function idOf(text: string | undefined): Id {
  return findId(text ?? "") ?? NO_ID;
}
