import type { ComponentChildren } from "preact";
import { countText, moneyText } from "../../parts/figures.tsx";
import { useRouter } from "../../router.ts";
import { useAccount } from "../../session.ts";
import type { BatchView } from "../../wire/pay-out.ts";
import type { BigSum } from "../../wire/reports.ts";
import { useSpeech } from "../../words/words.ts";

/** What a person should know before they decide. */
export function BatchNotes({ view }: { readonly view: BatchView }) {
  const { language, words } = useSpeech();
  const { place } = useRouter();
  const { session } = useAccount();
  const { batch } = view;
  const isOwn = batch.author.id === session.person.id;
  const isOpen = batch.state === "checked" || batch.state === "awaiting_approval";
  const needsOther = view.exceeded.length > 0 || batch.state === "awaiting_approval";
  const short = isOpen ? shortCurrencies(view) : [];
  return (
    <div class="batch-notes">
      {place.query.get("same") === "file" ? (
        <Note>
          {words.payOut.sameFile} {words.payOut.sameFileHint}
        </Note>
      ) : null}
      {batch.state === "awaiting_approval" ? (
        <Note>{isOwn ? words.payOut.waitsOwn : words.payOut.waits(batch.author.name)}</Note>
      ) : null}
      {view.exceeded.map(({ currency, limit, sum }) => (
        <Note key={currency}>
          {words.payOut.needsApproval(moneyText(sum, currency, language), moneyText(limit, currency, language))}
        </Note>
      ))}
      {isOpen && needsOther && view.approver_count === 0 ? <Note>{words.payOut.noApprover}</Note> : null}
      {short.map((currency) => (
        <Note key={currency}>{words.payOut.balanceShort(currency)}</Note>
      ))}
      {isOpen && view.repeated_count > 0 ? (
        <Note>{words.payOut.repeated(countText(view.repeated_count, language))}</Note>
      ) : null}
      {batch.state === "making" ? <p role="status">{words.payOut.making}</p> : null}
    </div>
  );
}

function Note({ children }: { readonly children: ComponentChildren }) {
  return <p class="note">{children}</p>;
}

function shortCurrencies({ batch, available }: BatchView): string[] {
  return batch.totals.flatMap(({ currency, amount, fee }) => {
    const has = available.find((each) => each.currency === currency)?.amount ?? 0;
    return exact(amount) + exact(fee) > exact(has) ? [currency] : [];
  });
}

function exact(sum: BigSum): bigint {
  return BigInt(sum);
}
