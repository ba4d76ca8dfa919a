import { useState } from "preact/hooks";
import { Heading } from "../parts/heading.tsx";
import type { OfferedBank, OfferedMethod } from "../view.ts";
import { useSpeech } from "../words/words.ts";
import type { StepProps } from "./step-screen.tsx";

export function ChooseBank({ method, perform }: StepProps & { readonly method: OfferedMethod }) {
  const { words } = useSpeech();
  const [wanted, setWanted] = useState("");
  const [chosen, setChosen] = useState<string>();
  const found = (method.banks ?? []).filter((bank) => isNamed(bank, wanted));
  const selected = found.find(({ symbol }) => symbol === chosen) ?? (found.length === 1 ? found[0] : undefined);
  const goOn = (event: Event) => {
    event.preventDefault();
    if (selected !== undefined) perform("choose", { method: method.code, bank: selected.symbol });
  };
  return (
    <section>
      <Heading>{words.bank.heading}</Heading>
      <form onSubmit={goOn}>
        <div class="field">
          <label for="bank-search">{words.bank.search}</label>
          <input
            id="bank-search"
            type="search"
            autocomplete="off"
            value={wanted}
            onInput={(event) => setWanted(event.currentTarget.value)}
          />
          <p class="hint" role="status">
            {found.length === 0 ? words.bank.none : words.bank.found(found.length)}
          </p>
        </div>
        <fieldset class="choices banks">
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
        <div class="buttons">
          <button type="submit" class="primary" disabled={selected === undefined}>
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
