import type { Directory } from "../../app/merchants/directory.ts";
import { ok } from "../../core/result.ts";
import { bodyOfProject } from "./blocks.ts";
import type { MerchantCall } from "./call.ts";

export const bankAll: MerchantCall = {
  path: "/api/v1/bank/all",
  body: bodyOfProject,
  answer: async (_deps, { directory }) => ok({ json: render(directory) }),
};

/** The list changes only with the directory. */
const rendered = new WeakMap<Directory, string>();

function render(directory: Directory): string {
  const known = rendered.get(directory);
  if (known !== undefined) return known;
  const text = JSON.stringify(
    directory.banks.map((bank) => ({
      id: bank.id,
      name: bank.name,
      symbol: bank.symbol,
      sbp_code: bank.sbpCode,
      is_sbp_bank: bank.isSbpBank,
      country_code: bank.countryCode,
    })),
  );
  rendered.set(directory, text);
  return text;
}
