import type { SandboxDatabase } from "../database.ts";
import { AUTHORISED } from "./charges.ts";
import type { ThreeDsVersion } from "./messages.ts";
import { CODES_MAX } from "./scenario.ts";

/** A charge as its payer sees it on a page of the issuer's or of the provider's. */
export type PagedCharge = {
  readonly reference: string;
  readonly project_id: string;
  readonly merchant_name: string | null;
  readonly amount: string;
  readonly currency: string;
  readonly masked_pan: string;
  readonly return_url: string;
  readonly status: string;
  readonly cancelled: boolean;
  readonly server_transaction_id: string;
  readonly acs_transaction_id: string;
  readonly wrong_codes: number;
  readonly outcome: "passed" | "failed" | null;
  readonly result: string | null;
};

const SELECT_PAGED = `
  select c.reference, c.project_id, c.merchant_name, c.amount, c.currency, c.masked_pan, c.return_url, c.status,
    c.cancelled_at is not null as cancelled,
    a.server_transaction_id, a.acs_transaction_id, a.wrong_codes, a.outcome, a.result
  from sandbox.authentications a join sandbox.charges c on c.reference = a.reference`;

/** What the browser brings; a visitor who has it is treated as the payer. */
export async function findByToken(
  db: SandboxDatabase,
  version: ThreeDsVersion | "redirect",
  token: string,
): Promise<PagedCharge | undefined> {
  const rows = await db.run<PagedCharge>(`${SELECT_PAGED} where a.version = $1 and a.token = $2`, [version, token]);
  return rows[0];
}

export type CodeAnswer = {
  readonly reference: string;
  /** How many wrong codes there were when the page was shown: a page that is older than that does not count. */
  readonly wrongCodes: number;
  readonly right: boolean;
  /** What the browser takes back if this ends it. */
  readonly result: string;
};

/**
 * The last wrong code declines the charge at once; the right one only lets the browser go back with the issuer's word.
 * Answers whether the code was looked at: of two pages that are sent together only one is.
 */
export async function answerCode(db: SandboxDatabase, answer: CodeAnswer): Promise<boolean> {
  const rows = await db.run(
    `with answered as (
       update sandbox.authentications a
       set wrong_codes = case when $3 then wrong_codes else wrong_codes + 1 end,
         outcome = case when $3 then 'passed' when wrong_codes + 1 = $5 then 'failed' end,
         result = case when $3 or wrong_codes + 1 = $5 then $4 end
       where reference = $1 and outcome is null and wrong_codes = $2
         and exists (select from sandbox.charges c
           where c.reference = a.reference and c.status = 'challenge' and c.expires_at > now())
       returning reference, outcome
     ), declined as (
       update sandbox.charges c set status = 'declined', reason = 'authentication_failed'
       from answered where c.reference = answered.reference and answered.outcome = 'failed' and c.status = 'challenge'
     )
     select reference from answered`,
    [answer.reference, answer.wrongCodes, answer.right, answer.result, CODES_MAX],
  );
  return rows.length > 0;
}

/** The payer gives up. */
export async function abandonChallenge(db: SandboxDatabase, reference: string, result: string): Promise<void> {
  await db.run(
    `with abandoned as (
       update sandbox.authentications set outcome = 'failed', result = $2
       where reference = $1 and outcome is null
       returning reference
     )
     update sandbox.charges c set status = 'declined', reason = 'authentication_failed'
     from abandoned where c.reference = abandoned.reference and c.status = 'challenge'`,
    [reference, result],
  );
}

/** A charge that ended without its payer: the browser is still sent back, with the result. */
export async function closeChallenge(
  db: SandboxDatabase,
  reference: string,
  end: { readonly outcome: "passed" | "failed"; readonly result: string },
): Promise<void> {
  await db.run(
    "update sandbox.authentications set outcome = $2, result = $3 where reference = $1 and outcome is null",
    [reference, end.outcome, end.result],
  );
}

/** Answers where the browser is to go back to; undefined when the issuer did not ask for this step. */
export async function finishMethodStep(
  db: SandboxDatabase,
  serverTransactionId: string,
): Promise<{ readonly return_url: string } | undefined> {
  const rows = await db.run<{ return_url: string }>(
    `update sandbox.authentications a set method_done_at = coalesce(method_done_at, now())
     from sandbox.charges c
     where c.reference = a.reference and a.server_transaction_id = $1 and a.method_step and a.version = '2.2.0'
     returning c.return_url`,
    [serverTransactionId],
  );
  return rows[0];
}

export async function payCheckout(db: SandboxDatabase, reference: string): Promise<void> {
  await db.run(
    `update sandbox.charges c set ${AUTHORISED}
     where c.reference = $1 and c.status = 'redirect' and c.expires_at > now()`,
    [reference],
  );
}

export async function cancelCheckout(db: SandboxDatabase, reference: string): Promise<void> {
  await db.run(
    `update sandbox.charges set status = 'declined', reason = 'cancelled' where reference = $1 and status = 'redirect'`,
    [reference],
  );
}
