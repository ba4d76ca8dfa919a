import type { Id } from "../../core/ids.ts";
import { accountFault } from "../../core/people/account-fault.ts";
import type { Directory } from "../merchants/directory.ts";
import { idsOf, scopeOfMerchant } from "../reports/report-scope.ts";

/** Another merchant's batch is not told from one that does not exist. */
export const NO_BATCH = accountFault("not_found", "there is no such batch of payouts");

export function projectIdsOf(directory: Pick<Directory, "projects">, merchantId: Id): Id[] {
  return idsOf(scopeOfMerchant(directory, merchantId).projects);
}
