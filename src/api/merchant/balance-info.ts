import { minorToJson } from "../../core/money.ts";
import { ok } from "../../core/result.ts";
import { bodyOfProject } from "./blocks.ts";
import type { MerchantCall } from "./call.ts";

export const balanceInfo: MerchantCall = {
  path: "/api/v1/balance/info",
  body: bodyOfProject,
  answer: async (deps, { project }) => {
    const balances = await deps.readBalances(project);
    return ok({
      balance: balances.map(({ currency, available, locked }) => ({
        currency,
        amount: minorToJson(available),
        locked_amount: minorToJson(locked),
      })),
    });
  },
};
