import { useRef, useState } from "preact/hooks";
import { Heading } from "../../kit/heading.tsx";
import type { OfferedBank, OfferedMethod } from "../view.ts";
import { useSpeech } from "../words/words.ts";
import type { StepProps } from "./step-props.ts";

const SEARCH_ID = "bank-search";

export function ChooseBank({ method, perform }: StepProps & { readonly method: OfferedMethod }) {
  const { words } = useSpeech();
  const [wanted, setWanted] = useState("");
  const [chosen, setChosen] = useState<string>();
  const found = (method.banks ?? []).filter((bank) => isNamed(bank, wanted));
  const selected = found.find(({ symbol }) => symbol === chosen) ?? (found.length === 1 ? found[0] : undefined);
  const [isMissed, setMissed] = useState(false);
  const list = useRef<HTMLFieldSetElement>(null);
  const goOn = (event: Event) => {
    event.preventDefault();
    setMissed(selected === undefined);
    if (selected !== undefined) perform("choose", { method: method.code, bank: selected.symbol });
    else (list.current?.querySelector("input") ?? document.getElementById(SEARCH_ID))?.focus();
  };
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
            value={wanted}
            onInput={(event) => setWanted(event.currentTarget.value)}
          />
          <p class="hint" role="status">
            {found.length === 0 ? words.bank.none : words.bank.found(found.length)}
          </p>
        </div>
        <fieldset class="choices banks" ref={list} aria-describedby="bank-missing">
          <legend class="unseen">{words.bank.legend}</legend>
          {found.map(({ symbol, name }) => (
            <label class="choice" key={symbol}>
              <input
                type="radio"
                name="bank"
                value={symbol}
                checked={symbol === selected?.symbol}
                onChange={() => setChosen(symbol)}
              />
              <span class="choice-text">{name}</span>
            </label>
          ))}
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

function isNamed({ name, symbol }: OfferedBank, wanted: string): boolean {
  const text = wanted.trim().toLocaleLowerCase();
  return name.toLocaleLowerCase().includes(text) || symbol.includes(text);
}
