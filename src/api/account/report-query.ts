import { Type } from "typebox";
import type { ReportDeps } from "../../app/reports/report-deps.ts";
import { type ReportScope, scopeOfMerchant } from "../../app/reports/report-scope.ts";
import type { Fault } from "../../core/errors.ts";
import type { Id } from "../../core/ids.ts";
import { type AccountFault, accountFault } from "../../core/people/account-fault.ts";
import { CLOSED } from "../merchant/blocks.ts";

/** Longer than any value: what a value may be is decided by the report that reads it. */
const VALUE_LENGTH_MAX = 1_024;

/** Parameters that a report takes, each at most once. */
export function reportQuery<const Name extends string>(...names: readonly Name[]) {
  const value = Type.Optional(Type.String({ maxLength: VALUE_LENGTH_MAX }));
  return Type.Object(Object.fromEntries(names.map((name) => [name, value])), CLOSED);
}

export async function scopeOf({ currentDirectory }: ReportDeps, merchantId: Id): Promise<ReportScope> {
  return scopeOfMerchant(await currentDirectory(), merchantId);
}

export function queryFault({ description, fields = [] }: Fault): AccountFault {
  return { ...accountFault("validation_failed", description), fields };
}

export const NO_PROJECT = accountFault("not_found", "there is no such project");
export const NO_PAYMENT = accountFault("not_found", "there is no such payment");

const EXPORT_RETRY_S = 10;

/** Why a file is not written: the project is not there, or as many files as there may be are being written. */
export function exportFault(reason: "not_found" | "busy"): AccountFault {
  return reason === "not_found"
    ? NO_PROJECT
    : { ...accountFault("busy", "other files are being written: try again soon"), retryAfterS: EXPORT_RETRY_S };
}
