import { Icon } from "../../kit/icon.tsx";
import { useLoad } from "../load.ts";
import { BookMark, StatusBadge } from "../parts/badge.tsx";
import { CopyBlock, CopyText } from "../parts/copy-text.tsx";
import { Facts } from "../parts/facts.tsx";
import { Amount, moneyText, When } from "../parts/figures.tsx";
import { ICONS } from "../parts/icons.ts";
import { Link } from "../parts/link.tsx";
import { Panel } from "../parts/panel.tsx";
import { Screen } from "../parts/screen.tsx";
import { EmptyState, Shown } from "../parts/states.tsx";
import { useScope } from "../projects.ts";
import { mayDo, useAccount } from "../session.ts";
import type { Direction, PaymentDetail } from "../wire/reports.ts";
import { withQuery } from "../with-query.ts";
import { useSpeech } from "../words/words.ts";
import { PaymentCallbacks } from "./callbacks/payment-callbacks.tsx";
import { PayerAttempts } from "./payer-attempts.tsx";
import { LedgerLines, Timeline } from "./payment-parts.tsx";
import { RequisitesPanel } from "./requisites.tsx";

/** One payment or payout: what happened, what money moved, and what the merchant's server was told. */
export function Payment({ id, direction }: { readonly id: string; readonly direction: Direction }) {
  const { words } = useSpeech();
  const loaded = useLoad<PaymentDetail>(`payments/${encodeURIComponent(id)}`);
  const { projectId } = useScope();
  const list = direction === "payin" ? "payments" : "payouts";
  const back = (
    <p class="way-back">
      <Link to={withQuery(list, { project: projectId })} look="back-link">
        <Icon path={ICONS.back} />
        {direction === "payin" ? words.payment.backToPayments : words.payment.backToPayouts}
      </Link>
    </p>
  );
  const isMissing = loaded.trouble?.kind === "refused" && [400, 404].includes(loaded.trouble.status);
  return (
    <Screen title={direction === "payin" ? words.payment.payin : words.payment.payout} before={back}>
      {isMissing ? (
        <EmptyState icon={ICONS.exclamation} title={words.payment.missing} text={words.payment.missingText} />
      ) : (
        <Shown loaded={loaded}>{(detail) => <Detail detail={detail} reload={loaded.reload} />}</Shown>
      )}
    </Screen>
  );
}

function Detail({ detail, reload }: { readonly detail: PaymentDetail; readonly reload: () => Promise<void> }) {
  const { language, words } = useSpeech();
  const { books } = useScope();
  const { payment } = detail;
  return (
    <>
      {payment.book === "test" && books.size > 1 ? (
        <p class="test-band inline-band">
          <strong>{words.testBand.title}</strong> <span>{words.testBand.text}</span>
        </p>
      ) : null}
      <div class="payment-head">
        <p class="payment-sum">{moneyText(payment.amount, payment.currency, language)}</p>
        <StatusBadge status={payment.status} sub={payment.sub_status} />
        <BookMark book={payment.book} />
      </div>
      <div class="detail">
        <div class="detail-main">
          <PayerAttempts attempts={detail.attempts} />
          <Timeline lines={timelineOf(detail)} />
          <PaymentCallbacks callbacks={detail.callbacks} reload={reload} />
          <LedgerLines lines={detail.ledger} />
        </div>
        <div class="detail-side">
          <Summary detail={detail} />
          <Money payment={payment} />
          <RequisitesPanel detail={detail} />
          <Panel title={words.payment.curl} text={words.payment.curlText}>
            <CopyBlock text={detail.curl} label={words.payment.copyCurl} button={words.payment.copyCurl} />
          </Panel>
        </div>
      </div>
    </>
  );
}

/** What a person made by hand is theirs, and not the merchant's server's. */
function timelineOf({ timeline, made_by }: PaymentDetail): PaymentDetail["timeline"] {
  if (made_by === null) return timeline;
  return timeline.map((line) => (line.event === "created" ? { ...line, actor: made_by.author } : line));
}

function Summary({ detail }: { readonly detail: PaymentDetail }) {
  const { words } = useSpeech();
  const { session } = useAccount();
  const { payment, project, made_by } = detail;
  const { decline_code, customer_id, description, method } = payment;
  return (
    <Panel title={words.payment.details}>
      <Facts
        rows={[
          {
            key: "payment",
            name: words.payment.paymentId,
            value: <CopyText text={payment.payment_id} label={words.payment.paymentId} />,
          },
          {
            key: "request",
            name: words.payment.requestId,
            value: <CopyText text={payment.request_id} label={words.payment.requestId} />,
          },
          { key: "created", name: words.payment.created, value: <When at={payment.created_at} full /> },
          {
            key: "method",
            name: words.payment.method,
            value: method === null ? null : (words.methods[method] ?? method),
          },
          { key: "project", name: words.payment.project, value: project.name },
          {
            key: "made-by",
            name: words.payOut.madeBy,
            value:
              made_by === null || !mayDo(session, "payouts.make") ? (
                made_by?.author
              ) : (
                <Link to={`pay-out/${made_by.batch_id}`}>{made_by.author}</Link>
              ),
          },
          { key: "customer", name: words.payment.customer, value: customer_id },
          { key: "description", name: words.payment.description, value: description },
          {
            key: "decline",
            name: words.payment.declineCode,
            value: decline_code === null ? null : (words.declines[decline_code] ?? decline_code),
          },
        ]}
      />
    </Panel>
  );
}

function Money({ payment }: Pick<PaymentDetail, "payment">) {
  const { words } = useSpeech();
  const { type, amount, received_amount, fee, net, currency } = payment;
  const sum = (value: number | null) => (value === null ? null : <Amount amount={value} currency={currency} />);
  return (
    <Panel title={words.payment.money} look="money-panel">
      <Facts
        rows={[
          { key: "amount", name: words.payment.amount, value: sum(amount) },
          { key: "received", name: words.payment.received, value: type === "payin" ? sum(received_amount) : null },
          { key: "fee", name: words.payment.fee, value: sum(fee) },
          { key: "net", name: words.payment.net, value: sum(net) },
        ]}
      />
    </Panel>
  );
}
