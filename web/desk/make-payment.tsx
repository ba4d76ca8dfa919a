import { useState } from "preact/hooks";
import { minorText } from "../account/filters.ts";
import { SelectField, TextField } from "../account/parts/fields.tsx";
import { Modal } from "../account/parts/modal.tsx";
import { ScrollText } from "../account/screens/callbacks/scroll-text.tsx";
import { refusalText, useSpeech } from "../account/words/words.ts";
import { decimalsOf } from "../kit/currencies.ts";
import { Notice } from "../kit/notice.tsx";
import { useDoor } from "./door.ts";
import {
  bodyOf,
  FIRST_AMOUNT,
  meaningOf,
  newPaymentId,
  TEST_ORDER_NAMES,
  TEST_ORDERS,
  type TestOrderName,
} from "./test-orders.ts";
import type { ApiAnswer } from "./wire.ts";
import { useDeskWords } from "./words/words.ts";

type MakeProps = {
  readonly echoUrl: string | undefined;
  readonly onMade: (paymentId: string) => void;
  readonly onClose: () => void;
};

/** A real call of the merchant API, made for the tester, who sees what their own server would send. */
export function MakePayment(props: MakeProps) {
  const { words } = useSpeech();
  const desk = useDeskWords();
  const { ask } = useDoor();
  const [name, setName] = useState<TestOrderName>("card_transfer");
  const [text, setText] = useState<string>(FIRST_AMOUNT.payin);
  const [paymentId] = useState(newPaymentId);
  const [trouble, setTrouble] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const order = TEST_ORDERS[name];
  const amount = Number(minorText(text.trim(), decimalsOf(order.currency)) ?? "0");
  const body = bodyOf(order, { paymentId, amount, callbackUrl: props.echoUrl });
  const choose = (next: string) => {
    const chosen = TEST_ORDER_NAMES.find((each) => each === next) ?? name;
    setName(chosen);
    setText(FIRST_AMOUNT[TEST_ORDERS[chosen].direction]);
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy || amount < 1) return;
    setBusy(true);
    const answer = await ask<ApiAnswer>("call", { path: order.path, body });
    setBusy(false);
    if (answer.kind !== "ok") return setTrouble(refusalText(words, answer));
    if (answer.value.status !== 200) return setTrouble(desk.apiRefused(answer.value.answer.status_description ?? ""));
    props.onMade(paymentId);
  };
  return (
    <Modal title={desk.make} text={desk.makeText} onClose={props.onClose}>
      <form onSubmit={submit}>
        <Notice text={trouble} />
        <SelectField
          label={desk.what}
          value={name}
          options={TEST_ORDER_NAMES.map((each) => ({ value: each, name: desk.orders[each] }))}
          onChange={choose}
        />
        <TextField
          label={`${desk.amount}, ${order.currency}`}
          value={text}
          onInput={setText}
          hint={desk.meanings[meaningOf(order, amount)]}
          mistake={amount < 1 ? words.list.amountWrong : undefined}
          maxLength={20}
        />
        <details class="the-call">
          <summary>{desk.theCall}</summary>
          <ScrollText title={`POST ${order.path}`} name={desk.body} text={JSON.stringify(body, null, 2)} />
        </details>
        <button type="submit" class="primary wide" aria-disabled={isBusy}>
          {isBusy ? desk.making : desk.makeIt}
        </button>
      </form>
    </Modal>
  );
}
