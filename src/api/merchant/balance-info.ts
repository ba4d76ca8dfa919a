import type { ShownBalance } from "../../app/ledger/read-balances.ts";
import { minorToJson } from "../../core/money.ts";
import { ok } from "../../core/result.ts";
import { bodyOfProject } from "./blocks.ts";
import type { MerchantCall } from "./call.ts";

export const balanceInfo: MerchantCall = {
  path: "/api/v1/balance/info",
  body: bodyOfProject,
  answer: async (deps, { project }) => ok({ json: render(await deps.readBalances(project)) }),
};

/** Callers whom one read answered share its list, and so the text of it. */
const rendered = new WeakMap<readonly ShownBalance[], string>();

function render(balances: readonly ShownBalance[]): string {
  const known = rendered.get(balances);
  if (known !== undefined) return known;
  const text = JSON.stringify({
    balance: balances.map(({ currency, available, locked }) => ({
      currency,
      amount: minorToJson(available),
      locked_amount: minorToJson(locked),
    })),
  });
  rendered.set(balances, text);
  return text;
}
