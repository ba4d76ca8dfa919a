import { shaped } from "./answer.ts";
import type { Call } from "./call.ts";
import type { CallOptions } from "./call-options.ts";
import type { BalanceInfo } from "./contract-answers.ts";
import { BALANCE_INFO_SHAPE } from "./contract-shapes.ts";

export async function fetchBalanceInfo(call: Call, projectId: string, options?: CallOptions): Promise<BalanceInfo> {
  const answer = await call(
    "/api/v1/balance/info",
    { general: { project_id: projectId } },
    { safeToRepeat: true },
    options,
  );
  return shaped<BalanceInfo>(answer.body, BALANCE_INFO_SHAPE, "a balance");
}
