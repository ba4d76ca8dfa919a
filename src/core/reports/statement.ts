import type { Currency } from "../currency.ts";
import { type Fault, validationFault } from "../errors.ts";
import { findId, type Id } from "../ids.ts";
import type { Minor } from "../money.ts";
import { fail, ok, type Result } from "../result.ts";
import { type Period, readPeriod } from "./period.ts";
import { openQuery, type ReportQuery } from "./query-values.ts";

/** The two accounts of a project, which a statement is about. */
export type Standing = { readonly available: Minor; readonly locked: Minor };

/** Whose statement: a balance is one project's, in one currency. */
export type StatementFilter = Period & { readonly projectId: Id; readonly currency: Currency };

export type StatementQuestion = { readonly filter: StatementFilter; readonly after: Id | undefined };

/** Reads the parameters of a statement, its CSV file, or the daily register. The period may be open at both ends. */
export function readStatementQuestion(parameters: ReportQuery): Result<StatementQuestion, Fault> {
  const query = openQuery(parameters, ["project", "currency", "from", "to", "cursor"]);
  const [projectId, currency] = [query.id("project"), query.currency("currency")];
  const period = readPeriod(query);
  const after = query.read("cursor", findId, "is not one that this statement answered");
  for (const name of ["project", "currency"]) if (parameters[name] === undefined) query.require(name);
  if (query.faults.length > 0 || projectId === undefined || currency === undefined) {
    return fail(validationFault(query.faults));
  }
  return ok({ filter: { ...period, projectId, currency }, after });
}

/** What a line adds to each of the two accounts; a hold takes from one what it adds to the other. */
export type Movement = { readonly from: string; readonly to: string; readonly amount: Minor };

export function changeOf({ from, to, amount }: Movement): Standing {
  const of = (account: string) =>
    ((to === account ? amount : 0n) - (from === account ? amount : 0n)) as bigint as Minor;
  return { available: of("available"), locked: of("locked") };
}

export function addStanding(one: Standing, other: Standing): Standing {
  return { available: (one.available + other.available) as Minor, locked: (one.locked + other.locked) as Minor };
}

export function subtractStanding(one: Standing, other: Standing): Standing {
  return { available: (one.available - other.available) as Minor, locked: (one.locked - other.locked) as Minor };
}

/** Lines in their order, each with what it changed and what there was after it. */
export function withRunning<Line extends Movement>(
  opening: Standing,
  lines: readonly Line[],
): (Line & { readonly change: Standing; readonly after: Standing })[] {
  let standing = opening;
  return lines.map((line) => {
    const change = changeOf(line);
    standing = addStanding(standing, change);
    return { ...line, change, after: standing };
  });
}
