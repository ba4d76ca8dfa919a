import { shaped } from "./answer.ts";
import type { Call } from "./call.ts";
import type { CallOptions } from "./call-options.ts";
import type { Bank } from "./contract-answers.ts";
import { BANK_LIST_SHAPE } from "./contract-shapes.ts";

export async function fetchBanks(call: Call, projectId: string, options?: CallOptions): Promise<Bank[]> {
  const answer = await call(
    "/api/v1/bank/all",
    { general: { project_id: projectId } },
    { safeToRepeat: true },
    options,
  );
  return shaped<Bank[]>(answer.body, BANK_LIST_SHAPE, "a list of banks");
}
