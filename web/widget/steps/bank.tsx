import { useMemo, useRef, useState } from "preact/hooks";
import { Heading } from "../../kit/heading.tsx";
import { BankMark } from "../banks/bank-mark.tsx";
import { nameOfBank } from "../banks/bank-name.ts";
import { findBanks, knownBanks } from "../banks/find-banks.ts";
import { keepLastBank, readLastBank } from "../banks/last-bank.ts";
import { groupBanks } from "../banks/list-banks.ts";
import type { OfferedBank, OfferedMethod } from "../view.ts";
import { useTopic } from "../words/topic.ts";
import { BANK_WORDS } from "../words/topics/banks.ts";
import { useSpeech } from "../words/words.ts";
import type { StepProps } from "./step-props.ts";

const SEARCH_ID = "bank-search";
/** Longer than any bank's name: what is pasted by mistake is not searched for. */
const SEARCH_MAX = 80;

export function ChooseBank({ method, perform }: StepProps & { readonly method: OfferedMethod }) {
  const { language, words } = useSpeech();
  const groupWords = useTopic(BANK_WORDS).groups;
  const { banks = [] } = method;
  const [wanted, setWanted] = useState("");
  const [chosen, setChosen] = useState<string>();
  const [last] = useState(readLastBank);
  const known = useMemo(() => knownBanks(banks), [banks]);
  const found = findBanks(known, wanted);
  const selected = found.find(({ symbol }) => symbol === chosen) ?? (found.length === 1 ? found[0] : undefined);
  const [isMissed, setMissed] = useState(false);
  const list = useRef<HTMLFieldSetElement>(null);
  const goOn = async (event: Event) => {
    event.preventDefault();
    setMissed(selected === undefined);
    if (selected === undefined) (list.current?.querySelector("input") ?? document.getElementById(SEARCH_ID))?.focus();
    else if (await perform("choose", { method: method.code, bank: selected.symbol })) keepLastBank(selected.symbol);
  };
  const draw = (bank: OfferedBank) => (
    <BankChoice key={bank.symbol} bank={bank} isChecked={bank === selected} onChoose={setChosen} />
  );
  return (
    <section>
      <Heading>{words.bank.heading}</Heading>
      <form onSubmit={goOn}>
        <div class="field">
          <label for={SEARCH_ID}>{words.bank.search}</label>
          <input
            id={SEARCH_ID}
            type="search"
            autocomplete="off"
            spellcheck={false}
            enterkeyhint="search"
            maxLength={SEARCH_MAX}
            value={wanted}
            onInput={(event) => setWanted(event.currentTarget.value)}
          />
          <p class="hint" role="status">
            {found.length === 0 ? words.bank.none : words.bank.found(found.length)}
          </p>
        </div>
        <fieldset class="choices banks" ref={list} aria-describedby="bank-missing">
          <legend class="unseen">{words.bank.legend}</legend>
          {wanted.trim() === ""
            ? groupBanks(banks, last, language).map(({ kind, banks: some }, _at, groups) => [
                groups.length === 1 ? null : (
                  <p class="bank-group" key={kind}>
                    {groupWords[kind]}
                  </p>
                ),
                ...some.map(draw),
              ])
            : found.map(draw)}
        </fieldset>
        {/* There is always a line for it, so that the button does not move away from under the pointer. */}
        <p class="missing" id="bank-missing" role="alert">
          {isMissed && selected === undefined ? words.bank.missing : null}
        </p>
        <div class="buttons">
          <button type="submit" class="primary">
            {words.continue}
          </button>
          <button type="button" class="quiet" onClick={() => history.back()}>
            {words.back}
          </button>
        </div>
      </form>
    </section>
  );
}

type ChoiceProps = {
  readonly bank: OfferedBank;
  readonly isChecked: boolean;
  readonly onChoose: (symbol: string) => void;
};

function BankChoice({ bank, isChecked, onChoose }: ChoiceProps) {
  const { language } = useSpeech();
  const name = nameOfBank(bank, language);
  return (
    <label class="choice">
      <input type="radio" name="bank" value={bank.symbol} checked={isChecked} onChange={() => onChoose(bank.symbol)} />
      <BankMark bank={bank} name={name} />
      <span class="choice-text">{name}</span>
    </label>
  );
}
