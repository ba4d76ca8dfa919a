import { dateLocaleOf } from "../../kit/locales.ts";
import { formatMoney } from "../../kit/money.ts";
import type { Receipt as PaidReceipt, View } from "../view.ts";
import type { PageLanguage } from "../words/page-language.ts";
import { useTopic } from "../words/topic.ts";
import { TRUST_WORDS } from "../words/topics/trust.ts";
import { useSpeech } from "../words/words.ts";

/** What a payer keeps: on the screen, on paper, and as a file that the browser makes. */
export function Receipt({ view, receipt }: { readonly view: View; readonly receipt: PaidReceipt }) {
  const { language, words } = useSpeech();
  const { receipt: names } = useTopic(TRUST_WORDS);
  const method = receipt.method === undefined ? undefined : (words.methods[receipt.method]?.name ?? receipt.method);
  const paidWith = receipt.card === undefined ? method : cardName(receipt.card);
  const facts = [
    [names.amount, formatMoney({ ...view, amount: receipt.amount }, language)],
    [names.paidAt, formatStamp(receipt.paid_at, language)],
    [names.shop, view.shop.name],
    [names.order, view.order],
    [names.description, view.description],
    [names.paidWith, paidWith],
    [names.id, receipt.request_id],
  ] as const;
  return (
    <div class="receipt">
      <h2>{names.title}</h2>
      <dl>
        {facts.map(([name, text]) =>
          text === undefined ? null : (
            <div key={name} class={name === names.id ? "id" : undefined}>
              <dt>{name}</dt>
              <dd>
                <bdi>{text}</bdi>
              </dd>
            </div>
          ),
        )}
      </dl>
    </div>
  );
}

/** On paper the reader's zone is no longer known, so it is written. */
function formatStamp(at: string, language: PageLanguage): string {
  return new Intl.DateTimeFormat(dateLocaleOf(language), { dateStyle: "medium", timeStyle: "long" }).format(
    new Date(at),
  );
}

const BRANDS: Readonly<Record<string, string>> = {
  visa: "Visa",
  mastercard: "Mastercard",
  mir: "Mir",
  maestro: "Maestro",
  unionpay: "UnionPay",
  amex: "American Express",
  uzcard: "Uzcard",
  humo: "Humo",
};

function cardName({ brand, last4 }: NonNullable<PaidReceipt["card"]>): string {
  return `${BRANDS[brand] ?? brand} •••• ${last4}`;
}
