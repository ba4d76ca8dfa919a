import { useState } from "preact/hooks";
import { ICONS } from "../account/parts/icons.ts";
import { Panel } from "../account/parts/panel.tsx";
import { EmptyState, Loading } from "../account/parts/states.tsx";
import { useSpeech } from "../account/words/words.ts";
import { isOver } from "./actions.ts";
import { PaymentCard } from "./payment-card.tsx";
import type { ActProps } from "./use-acts.ts";
import type { DeskPayment } from "./wire.ts";
import { useDeskWords } from "./words/words.ts";

type ListProps = {
  readonly payments: readonly DeskPayment[] | undefined;
  readonly onDone: ActProps["onDone"];
};

/** What waits for the outside world, and what has ended; money may move after an end too. */
export function PaymentList({ payments, onDone }: ListProps) {
  const desk = useDeskWords();
  if (payments === undefined) return <Loading />;
  const waiting = payments.filter((payment) => !isOver(payment));
  const ended = payments.filter(isOver);
  return (
    <>
      <Panel title={desk.waiting} text={desk.waitingText} look="desk-waiting">
        {waiting.length === 0 ? (
          <EmptyState icon={ICONS.payments} title={desk.noPayments} text={desk.noPaymentsText} />
        ) : (
          <Cards payments={waiting} onDone={onDone} />
        )}
      </Panel>
      {ended.length === 0 ? null : (
        <Panel title={desk.ended} text={desk.endedText} look="desk-ended">
          <Cards payments={ended} onDone={onDone} />
        </Panel>
      )}
    </>
  );
}

const SHOWN_FIRST = 8;

function Cards({ payments, onDone }: ListProps & { readonly payments: readonly DeskPayment[] }) {
  const { words } = useSpeech();
  const [areAllShown, setAllShown] = useState(false);
  const shown = areAllShown ? payments : payments.slice(0, SHOWN_FIRST);
  return (
    <>
      <ul>
        {shown.map((payment) => (
          <li key={payment.id}>
            <PaymentCard payment={payment} onDone={onDone} />
          </li>
        ))}
      </ul>
      {shown.length === payments.length ? null : (
        <button type="button" class="quiet" onClick={() => setAllShown(true)}>
          {words.loadMore}
        </button>
      )}
    </>
  );
}
