import type { NotificationSubject, ProviderBooks, ProviderEntry } from "../../core/connector.ts";
import { findCurrency } from "../../core/currency.ts";
import type { Channel } from "./channel.ts";
import { BALANCE, BANKS, ECOM_PAYIN, P2P_PAYIN, PAYOUT_PATHS } from "./paths.ts";
import type { Question } from "./question.ts";
import { lookUp, wordOf } from "./statuses.ts";
import { feeOf, toMinor } from "./translate.ts";
import { readBalances, readBankList, type WirePayment } from "./wire.ts";

const PATHS: Readonly<Record<NotificationSubject["direction"], readonly string[]>> = {
  payin: [P2P_PAYIN],
  charge: [ECOM_PAYIN],
  payout: PAYOUT_PATHS,
};

/** What the gateway holds for us, the banks that it knows, and what it says of one request. */
export function openUpstreamBooks({ ask }: Pick<Channel, "ask">, projectId: string, question: Question): ProviderBooks {
  const general = { project_id: projectId };
  return {
    readBalances: async () => {
      const answer = await ask(BALANCE, { general });
      const read = answer.kind === "answered" && answer.status === 200 ? readBalances(answer.body) : undefined;
      // A gateway may hold coins of its own for us. No payment of ours is in them, and their decimals are unknown.
      return read?.balance.flatMap(({ currency: code, amount, locked_amount }) => {
        const currency = findCurrency(code);
        return currency === undefined
          ? []
          : [{ currency, amount: toMinor(amount), lockedAmount: toMinor(locked_amount) }];
      });
    },
    readBanks: async () => {
      const answer = await ask(BANKS, { general });
      const read = answer.kind === "answered" && answer.status === 200 ? readBankList(answer.body) : undefined;
      return read?.map((bank) => ({
        symbol: bank.symbol,
        name: bank.name,
        sbpCode: bank.is_sbp_bank ? bank.sbp_code : undefined,
        countryCode: bank.country_code,
      }));
    },
    readEntry: async ({ direction, reference }) => {
      const found = await question(PATHS[direction], reference);
      return found.kind === "payment" ? toEntry(found.payment) : found;
    },
  };
}

const STATUSES: Readonly<Record<string, "success" | "decline" | "open">> = {
  success: "success",
  decline: "decline",
  processing: "open",
  dispute: "open",
};

function toEntry(payment: WirePayment): ProviderEntry {
  const status = lookUp(STATUSES, payment.status);
  const currency = findCurrency(payment.payment.currency);
  if (status === undefined || currency === undefined) return { kind: "unknown" };
  const { amount, requested_amount: requested = amount, received_amount: received } = payment.payment;
  // Before the end the gateway may have received another sum, which it has not credited yet.
  const sum = status === "success" ? amount : status === "open" ? (received ?? requested) : requested;
  const { fee } = status === "success" ? feeOf(payment) : {};
  return {
    kind: "entry",
    status,
    word: wordOf(payment),
    amount: toMinor(sum),
    currency,
    fee,
  };
}
