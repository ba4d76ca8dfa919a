import { useId } from "preact/hooks";
import { StatusBadge } from "../account/parts/badge.tsx";
import { CopyText } from "../account/parts/copy-text.tsx";
import { Facts } from "../account/parts/facts.tsx";
import { Amount, When } from "../account/parts/figures.tsx";
import { useSpeech } from "../account/words/words.ts";
import { isOver } from "./actions.ts";
import { PaymentActions } from "./payment-actions.tsx";
import { TimeLeft } from "./time-left.tsx";
import { type ActProps, placeOf } from "./use-acts.ts";
import type { DeskPayment } from "./wire.ts";
import { useDeskWords } from "./words/words.ts";

/** A payment: where its money goes, how it stands, and what the outside world can do to it. */
export function PaymentCard({ payment, onDone }: ActProps) {
  const { words } = useSpeech();
  const desk = useDeskWords();
  const id = useId();
  const { kind, method, expires_at } = payment;
  const methodName = method === null ? desk.methodOpen : (words.methods[method] ?? method);
  return (
    <article class="desk-payment" id={placeOf(payment)} tabIndex={-1} aria-labelledby={id}>
      <header class="desk-payment-head">
        <span class="desk-sum">
          <Amount amount={payment.amount} currency={payment.currency} />
        </span>
        <StatusBadge status={payment.status} sub={payment.sub_status} />
        {expires_at === undefined || isOver(payment) ? null : <TimeLeft until={expires_at} />}
      </header>
      <h3 class="desk-name" id={id}>
        <CopyText text={payment.payment_id} label={desk.paymentId} />
      </h3>
      <p class="small desk-kind">
        {desk.kinds[kind]}
        {kind === "card" ? null : <> · {methodName}</>} · <When at={payment.created_at} />
      </p>
      <PaymentFacts payment={payment} />
      <PaymentActions payment={payment} onDone={onDone} />
    </article>
  );
}

function PaymentFacts({ payment }: { readonly payment: DeskPayment }) {
  const desk = useDeskWords();
  const { requisites = {}, received_amount, currency, challenge_url, form_url } = payment;
  const { pan, phone, account_number, url, holder, bank_name } = requisites;
  const number = pan ?? phone ?? account_number;
  // A masked link, which an ended payment has, leads nowhere.
  const isOpenable = url !== undefined && /^https?:/.test(url) && !isOver(payment);
  const pages = [
    { href: form_url, text: desk.openForm },
    { href: challenge_url, text: desk.openChallenge },
    { href: isOpenable ? url : undefined, text: desk.openBank },
  ].filter((page): page is { href: string; text: string } => page.href !== undefined);
  const copyOf = (text: string | undefined) =>
    text === undefined ? null : <CopyText text={text} label={desk.requisites} />;
  return (
    <Facts
      rows={[
        { key: "requisites", name: desk.requisites, value: copyOf(number ?? url) },
        { key: "bank", name: desk.bank, value: [bank_name, holder].filter((each) => each !== undefined).join(", ") },
        {
          key: "received",
          name: desk.received,
          value: received_amount === 0 ? null : <Amount amount={received_amount} currency={currency} />,
        },
        { key: "pages", name: desk.pages, value: pages.length === 0 ? null : <OutLinks pages={pages} /> },
      ]}
    />
  );
}

/** Pages that a payer sees; the desk stays open beside them. */
function OutLinks({ pages }: { readonly pages: readonly { readonly href: string; readonly text: string }[] }) {
  return (
    <span class="desk-links">
      {pages.map(({ href, text }) => (
        <a key={text} href={href} target="_blank" rel="noreferrer">
          {text}
        </a>
      ))}
    </span>
  );
}
