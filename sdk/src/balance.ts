import { shaped } from "./answer.ts";
import type { Call } from "./call.ts";

/** Amounts are whole minor units: 98000 is 980 roubles in RUB, and 98,000 yen in JPY. */
export type Balance = { readonly currency: string; readonly amount: number; readonly locked_amount: number };
export type BalanceInfo = { readonly balance: readonly Balance[] };

const BALANCE_INFO_SHAPE = {
  balance: [{ currency: "string", amount: "integer", locked_amount: "integer" }],
} as const;

export async function fetchBalanceInfo(call: Call, projectId: string): Promise<BalanceInfo> {
  const answer = await call("/api/v1/balance/info", { general: { project_id: projectId } }, { safeToRepeat: true });
  return shaped<BalanceInfo>(answer.body, BALANCE_INFO_SHAPE, "a balance");
}
