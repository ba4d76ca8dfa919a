import { shaped } from "./answer.ts";
import type { Call } from "./call.ts";
import type { Bank } from "./contract-answers.ts";

const BANKS_SHAPE = [
  {
    id: "string",
    name: "string",
    symbol: "string",
    sbp_code: "string",
    is_sbp_bank: "boolean",
    country_code: "string",
  },
] as const;

export async function fetchBanks(call: Call, projectId: string): Promise<Bank[]> {
  const answer = await call("/api/v1/bank/all", { general: { project_id: projectId } }, { safeToRepeat: true });
  return shaped<Bank[]>(answer.body, BANKS_SHAPE, "a list of banks");
}
