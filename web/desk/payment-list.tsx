import { ICONS } from "../account/parts/icons.ts";
import { Panel } from "../account/parts/panel.tsx";
import { EmptyState, Loading } from "../account/parts/states.tsx";
import { isOver } from "./actions.ts";
import { PaymentCard } from "./payment-card.tsx";
import type { DeskPayment } from "./wire.ts";
import { useDeskWords } from "./words/words.ts";

type ListProps = {
  readonly payments: readonly DeskPayment[] | undefined;
  readonly onDone: () => Promise<void>;
};

/** What waits for the outside world first, then what has ended; money may move after an end too. */
export function PaymentList({ payments, onDone }: ListProps) {
  const desk = useDeskWords();
  if (payments === undefined) return <Loading />;
  const cards = (some: readonly DeskPayment[]) => (
    <ul class="desk-payments">
      {some.map((payment) => (
        <li key={payment.id}>
          <PaymentCard payment={payment} onDone={onDone} />
        </li>
      ))}
    </ul>
  );
  const waiting = payments.filter((payment) => !isOver(payment));
  const ended = payments.filter(isOver);
  return (
    <>
      <Panel title={desk.waiting} text={desk.waitingText}>
        {waiting.length === 0 ? (
          <EmptyState icon={ICONS.payments} title={desk.noPayments} text={desk.noPaymentsText} />
        ) : (
          cards(waiting)
        )}
      </Panel>
      {ended.length === 0 ? null : (
        <Panel title={desk.ended} text={desk.endedText}>
          {cards(ended)}
        </Panel>
      )}
    </>
  );
}
