import { useState } from "preact/hooks";
import { Trouble } from "../account/parts/states.tsx";
import type { Words } from "../account/words/en.ts";
import { useSpeech } from "../account/words/words.ts";
import { Callbacks } from "./callbacks.tsx";
import { Clock } from "./clock.tsx";
import { Faults } from "./faults.tsx";
import { MakePayment } from "./make-payment.tsx";
import { PaymentList } from "./payment-list.tsx";
import { useDesk } from "./use-desk.ts";
import type { DeskPayment } from "./wire.ts";
import { useDeskWords } from "./words/words.ts";

/** The tester plays payer, bank and issuer, moves the clock, orders faults, and sees each callback. */
export function Desk() {
  const { words } = useSpeech();
  const desk = useDeskWords();
  const { payments, callbacks, echoUrl, faults, trouble, look } = useDesk();
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<string>();
  const [told, setTold] = useState<string>();
  const tell = async (after?: DeskPayment) => {
    await look();
    if (after !== undefined) setTold(`${after.payment_id}: ${stateText(words, after)}`);
  };
  return (
    <>
      <div class="desk-lead">
        <p class="lead small">{desk.lead}</p>
        <button type="button" class="primary" onClick={() => setMaking(true)}>
          {desk.make}
        </button>
      </div>
      <p class="done" role="status">
        {made === undefined ? null : desk.made(made)}
      </p>
      <p class="unseen" role="status">
        {told}
      </p>
      {trouble === undefined ? null : <Trouble refusal={trouble} onAgain={() => void look()} />}
      <div class="desk">
        <PaymentList payments={payments} onDone={tell} />
        <div class="desk-aside">
          <Clock onDone={look} />
          <Callbacks echoUrl={echoUrl} callbacks={callbacks} />
          <Faults faults={faults} onDone={look} />
        </div>
      </div>
      {isMaking ? (
        <MakePayment
          echoUrl={echoUrl}
          onClose={() => setMaking(false)}
          onMade={(paymentId) => {
            setMaking(false);
            setMade(paymentId);
            void look();
          }}
        />
      ) : null}
    </>
  );
}

/** For those who hear the page: what a payment has come to. */
function stateText(words: Words, { status, sub_status }: DeskPayment): string {
  const sub = sub_status === null ? undefined : (words.subStatuses[sub_status] ?? sub_status);
  return [words.statuses[status] ?? status, sub].filter((part) => part !== undefined).join(", ");
}
