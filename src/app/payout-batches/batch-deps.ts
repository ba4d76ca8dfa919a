import type { FieldFault } from "../../core/errors.ts";
import type { Id } from "../../core/ids.ts";
import type { RowBody } from "../../core/payout-batches/batch-row.ts";
import type { Actor } from "../../core/people/actor.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { Database } from "../../store/db.ts";
import type { Directory, DirectoryProject } from "../merchants/directory.ts";
import type { RuleDeps } from "../payments/create-payment.ts";

/** What batches of payouts are checked with. */
export type BatchDeps = RuleDeps & { readonly db: Database; readonly keyring: Keyring };

/** What the members of a request must be, as the API demands it; handed in, since the API's door knows it. */
export type FindBodyFaults = (body: RowBody) => readonly FieldFault[];

/** The person who acts, with the merchant that the session is about. */
export type BatchActor = {
  readonly merchantId: Id;
  readonly actor: Extract<Actor, { kind: "person" }>;
};

/** The project that is to pay. */
export type BatchPlace = { readonly directory: Directory; readonly project: DirectoryProject };
