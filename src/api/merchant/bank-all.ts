import { ok } from "../../core/result.ts";
import { bodyOfProject } from "./blocks.ts";
import type { MerchantCall } from "./call.ts";

export const bankAll: MerchantCall = {
  path: "/api/v1/bank/all",
  body: bodyOfProject,
  answer: async (deps) => {
    const { banks } = await deps.directory.current();
    return ok(
      banks.map((bank) => ({
        id: bank.id,
        name: bank.name,
        symbol: bank.symbol,
        sbp_code: bank.sbpCode,
        is_sbp_bank: bank.isSbpBank,
        country_code: bank.countryCode,
      })),
    );
  },
};
