import { showDuration } from "../../cli/kit/durations.ts";
import { countOf, renderPairs, renderTable, showInstant } from "../../cli/kit/output.ts";
import { AMOUNT_MAX, AMOUNT_MIN, formatMoney, type Minor, minorToJson } from "../../core/money.ts";
import { clearingOfAccount } from "../../core/providers.ts";
import type { AccountMasks, ShownAccount } from "../app/read-pool-account.ts";
import { showHours } from "../core/account-settings.ts";
import type { LentNow } from "../store/pool-accounts.ts";
import type { ReceivingAccount, StoredAccount } from "../store/receiving-accounts.ts";
import type { StoredRequisite } from "../store/requisites.ts";

/** How receiving accounts are shown: never what is sealed, only its masks. */

const SPOILED = "cannot be opened: set it again";

export function renderAccount(account: ReceivingAccount, masks: AccountMasks): string {
  const money = (amount: bigint) => formatMoney(amount as Minor, account.currency);
  const limit = (value: number | null) => (value === null ? "any number" : countOf(value, "pay-in"));
  return renderPairs([
    ["state", account.enabled ? "on" : "off"],
    ["book", account.book],
    ["bank", `${account.bank}, ${account.country}`],
    ["holder", masks.holder ?? SPOILED],
    ["number", masks.number === null ? "none" : (masks.number ?? SPOILED)],
    ["owner", account.owner === "" ? "none" : account.owner],
    ["priority", String(account.priority)],
    ["one pay-in", hasSumLimits(account) ? `${money(account.minAmount)} to ${money(account.maxAmount)}` : "any sum"],
    ["in a day", `${limit(account.dayCountMax)}, ${account.daySumMax === null ? "any sum" : money(account.daySumMax)}`],
    ["at once", limit(account.parallelMax)],
    ["rests", account.coolDownS === 0 ? "never" : `${showDuration(account.coolDownS)} after each`],
    ["hours", `${showHours(account)} (${account.timeZone})`],
    ["quarantine", showDuration(account.quarantineS)],
    ["opening balance", money(account.openingBalance)],
    [
      "statements",
      account.statementMapping === null
        ? "in the usual columns, or camt.053"
        : "by a mapping: see pool account mapping",
    ],
  ]);
}

function hasSumLimits({ minAmount, maxAmount }: ReceivingAccount): boolean {
  return minAmount > AMOUNT_MIN || maxAmount < AMOUNT_MAX;
}

export function renderShown({ account, masks, requisites, lent, today, holds }: ShownAccount): string {
  const money = (amount: bigint) => formatMoney(amount as Minor, account.currency);
  const lines = [
    `Receiving account ${account.code}`,
    renderAccount(account, masks),
    renderPairs([
      ["lent now", String(account.liveCount)],
      ["today", `${countOf(today.count, "pay-in")}, ${money(today.sum)}`],
      [clearingOfAccount(account.code), `${money(holds)} should be on it`],
    ]),
    requisites.length === 0 ? "It has no requisites." : renderRequisites(requisites),
    ...(lent.length === 0 ? [] : [renderLent(account, lent)]),
  ];
  return lines.join("\n\n");
}

function renderLent({ currency }: StoredAccount, lent: readonly LentNow[]): string {
  const columns = [
    { title: "LENT AT" },
    { title: "AMOUNT", align: "right" },
    { title: "REQUISITE" },
    { title: "REQUEST" },
  ] as const;
  const rows = lent.map((each) => [
    showInstant(each.lentAt),
    formatMoney(each.amount, currency),
    each.mask,
    each.requestId ?? "-",
  ]);
  return renderTable(columns, rows);
}

export function renderRequisites(requisites: readonly StoredRequisite[]): string {
  const titles = ["ID", "TYPE", "MASK", "STATE", "METHODS", "LAST LENT"];
  const rows = requisites.map((requisite) => [
    requisite.id,
    requisite.type,
    requisite.mask,
    stateOf(requisite),
    requisite.methods.join(","),
    requisite.lastLentAt === null ? "never" : showInstant(requisite.lastLentAt),
  ]);
  return renderTable(
    titles.map((title) => ({ title })),
    rows,
  );
}

function stateOf({ enabled, fault }: StoredRequisite): string {
  if (enabled) return "on";
  return fault === null ? "off" : `off: ${fault}`;
}

export function renderAccounts(accounts: readonly StoredAccount[]): string {
  const columns = [
    ...[{ title: "CODE" }, { title: "BOOK" }, { title: "BANK" }, { title: "CURRENCY" }, { title: "STATE" }],
    { title: "PRIORITY", align: "right" },
    { title: "LENT NOW", align: "right" },
    ...[{ title: "LAST LENT" }, { title: "HOURS" }, { title: "OWNER" }],
  ] as const;
  const rows = accounts.map((account) => [
    account.code,
    account.book,
    account.bank,
    account.currency,
    account.enabled ? "on" : "off",
    String(account.priority),
    account.parallelMax === null ? String(account.liveCount) : `${account.liveCount}/${account.parallelMax}`,
    account.lastLentAt === null ? "never" : showInstant(account.lastLentAt),
    showHours(account),
    account.owner,
  ]);
  return renderTable(columns, rows);
}

export function accountJson(account: ReceivingAccount, masks?: AccountMasks) {
  return {
    code: account.code,
    book: account.book,
    bank: account.bank,
    currency: account.currency,
    country: account.country,
    ...(masks === undefined
      ? {}
      : { holder_mask: masks.holder ?? null, number_mask: masks.number ?? null, intact: isIntact(masks) }),
    owner: account.owner,
    time_zone: account.timeZone,
    enabled: account.enabled,
    priority: account.priority,
    min_amount: minorToJson(account.minAmount),
    max_amount: minorToJson(account.maxAmount),
    day_count_max: account.dayCountMax,
    day_sum_max: account.daySumMax === null ? null : minorToJson(account.daySumMax),
    parallel_max: account.parallelMax,
    cool_down_s: account.coolDownS,
    hours: showHours(account),
    quarantine_s: account.quarantineS,
    opening_balance: minorToJson(account.openingBalance as Minor),
    has_statement_mapping: account.statementMapping !== null,
  };
}

function isIntact({ holder, number }: AccountMasks): boolean {
  return holder !== undefined && number !== undefined;
}

export function storedAccountJson(account: StoredAccount, masks?: AccountMasks) {
  return {
    ...accountJson(account, masks),
    lent_now: account.liveCount,
    last_lent_at: account.lastLentAt?.toISOString() ?? null,
    created_at: account.createdAt.toISOString(),
  };
}

export function shownJson({ account, masks, requisites, lent, today, holds }: ShownAccount) {
  return {
    ...storedAccountJson(account, masks),
    today: { count: today.count, sum: minorToJson(today.sum as Minor) },
    holds: minorToJson(holds as Minor),
    requisites: requisites.map(requisiteJson),
    lent: lent.map((each) => ({
      request_id: each.requestId,
      project_id: each.projectId,
      requisite_id: each.requisiteId,
      amount: minorToJson(each.amount),
      lent_at: each.lentAt.toISOString(),
    })),
  };
}

export function requisiteJson(requisite: StoredRequisite) {
  return {
    id: requisite.id,
    type: requisite.type,
    mask: requisite.mask,
    methods: requisite.methods,
    enabled: requisite.enabled,
    fault: requisite.fault,
    last_lent_at: requisite.lastLentAt?.toISOString() ?? null,
    created_at: requisite.createdAt.toISOString(),
  };
}
