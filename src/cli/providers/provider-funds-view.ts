import { formatMoney, minorToJson } from "../../core/money.ts";
import type { ListedFunds, ProviderFunds } from "../../store/providers/provider-funds.ts";
import { renderTable, showInstant } from "../kit/output.ts";

/** How commands show funds that an operator moved to or from a provider. */

export function describeFunds({ direction, amount, currency, provider, reference }: ProviderFunds): string {
  const moved = direction === "in" ? "added to your balance at" : "withdrawn from your balance at";
  return `${formatMoney(amount, currency)} ${moved} ${provider}, reference ${reference}.`;
}

export function fundsJson({ id, provider, direction, amount, currency, through, reference, note }: ProviderFunds) {
  const money = { amount: minorToJson(amount), currency };
  return { funds_id: id, provider, direction, ...money, through, reference, note };
}

export function listedFundsJson(funds: ListedFunds) {
  const { actor, createdAt, reversedAt } = funds;
  const times = { recorded_at: createdAt.toISOString(), reversed_at: reversedAt?.toISOString() ?? null };
  return { ...fundsJson(funds), actor, ...times };
}

export function renderFunds(all: readonly ListedFunds[]): string {
  const columns = [
    { title: "RECORDED" },
    { title: "IN", align: "right" },
    { title: "OUT", align: "right" },
    { title: "THROUGH" },
    { title: "REFERENCE" },
    { title: "BY" },
    { title: "REVERSED" },
    { title: "NOTE" },
  ] as const;
  const rows = all.map(({ createdAt, direction, amount, currency, through, reference, actor, reversedAt, note }) => {
    const money = (column: ProviderFunds["direction"]) => (column === direction ? formatMoney(amount, currency) : "-");
    const sums = [money("in"), money("out")];
    const reversed = reversedAt === null ? "-" : showInstant(reversedAt);
    return [showInstant(createdAt), ...sums, through, reference, actor, reversed, note ?? "-"];
  });
  return renderTable(columns, rows);
}
