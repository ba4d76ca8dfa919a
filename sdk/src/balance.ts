import { shaped } from "./answer.ts";
import type { Call } from "./call.ts";
import type { BalanceInfo } from "./contract-answers.ts";

const BALANCE_INFO_SHAPE = {
  balance: [{ currency: "string", amount: "integer", locked_amount: "integer" }],
} as const;

export async function fetchBalanceInfo(call: Call, projectId: string): Promise<BalanceInfo> {
  const answer = await call("/api/v1/balance/info", { general: { project_id: projectId } }, { safeToRepeat: true });
  return shaped<BalanceInfo>(answer.body, BALANCE_INFO_SHAPE, "a balance");
}
