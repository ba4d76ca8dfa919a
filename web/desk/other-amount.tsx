import { useState } from "preact/hooks";
import { minorText } from "../account/filters.ts";
import { TextField } from "../account/parts/fields.tsx";
import { Modal } from "../account/parts/modal.tsx";
import { useSpeech } from "../account/words/words.ts";
import { decimalsOf } from "../kit/currencies.ts";
import { plainAmount } from "../kit/money.ts";
import { ActionButton } from "./action-button.tsx";
import type { Acts } from "./use-acts.ts";
import { useDeskWords } from "./words/words.ts";

/** Any sum may arrive; it is asked for in a form over the page. */
export function OtherAmount({ acts, onChosen }: { readonly acts: Acts; readonly onChosen: (amount: number) => void }) {
  const { words } = useSpeech();
  const desk = useDeskWords();
  const { amount, currency } = acts.payment;
  const decimals = decimalsOf(currency);
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState(() => plainAmount({ amount, currency, decimals }));
  const [isWrong, setWrong] = useState(false);
  const submit = (event: Event) => {
    event.preventDefault();
    const minor = Number(minorText(text.trim(), decimals) ?? "0");
    setWrong(minor < 1);
    if (minor < 1) return;
    setOpen(false);
    onChosen(minor);
  };
  return (
    <>
      <ActionButton name={desk.otherAmount} acts={acts} onClick={() => setOpen(true)} />
      {isOpen ? (
        <Modal title={desk.otherAmountTitle} text={desk.otherAmountText} onClose={() => setOpen(false)}>
          <form onSubmit={submit}>
            <TextField
              label={`${desk.amount}, ${currency}`}
              value={text}
              onInput={setText}
              mistake={isWrong ? words.list.amountWrong : undefined}
              maxLength={20}
            />
            <button type="submit" class="primary wide">
              {desk.sendIt}
            </button>
          </form>
        </Modal>
      ) : null}
    </>
  );
}
