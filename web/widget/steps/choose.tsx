import { useEffect, useState } from "preact/hooks";
import { Heading } from "../../kit/heading.tsx";
import { useHeadingFocus } from "../../kit/heading-focus.ts";
import { Icon } from "../../kit/icon.tsx";
import { methodIcon } from "../icons.ts";
import { LastTry } from "../parts/last-try.tsx";
import { WhatNext } from "../parts/what-next.tsx";
import type { OfferedMethod, View } from "../view.ts";
import { useTopic } from "../words/topic.ts";
import { TRUST_WORDS } from "../words/topics/trust.ts";
import { useSpeech } from "../words/words.ts";
import { ChooseBank } from "./bank.tsx";
import { CardForm } from "./card-form.tsx";
import type { StepProps } from "./step-props.ts";
import { Questions } from "./transfer.tsx";

/** First how, and where that needs it, from which bank or with which card; the back button leads from those to here. */
export function Choose(props: StepProps) {
  const { view, perform } = props;
  const { words } = useSpeech();
  const { next } = useTopic(TRUST_WORDS);
  const methods = listMethods(view);
  const [chosen, setChosen] = useState(view.preselected ?? methods[0]?.code);
  const [detail, openDetail] = useDetail(view.chance?.left);
  const detailed = methods.find(({ code }) => code === detail);
  useHeadingFocus(detailed?.code ?? "methods");

  if (detailed?.card === true)
    return (
      <>
        <CardForm {...props} />
        <WhatNext text={next.card} />
      </>
    );
  if (detailed?.banks !== undefined)
    return (
      <>
        <ChooseBank {...props} method={detailed} />
        <WhatNext text={next.toTransfer} />
      </>
    );
  const method = methods.find(({ code }) => code === chosen) ?? methods[0];
  const goOn = (event: Event) => {
    event.preventDefault();
    if (method === undefined) return;
    if (method.card || method.banks !== undefined) openDetail(method.code);
    else perform("choose", { method: method.code });
  };
  return (
    <section>
      <Heading>{words.headings.choose}</Heading>
      <LastTry view={view} />
      {methods.length === 0 ? (
        <p>{words.noMethods}</p>
      ) : (
        <form class="choose" onSubmit={goOn}>
          <fieldset class="choices">
            <legend class="unseen">{words.headings.choose}</legend>
            {methods.map(({ code }) => (
              <label class="choice" key={code}>
                <input
                  type="radio"
                  name="method"
                  value={code}
                  checked={code === method?.code}
                  onChange={() => setChosen(code)}
                />
                <span class="choice-text">
                  <strong>{words.methods[code]?.name ?? code}</strong>
                  <span class="hint">{words.methods[code]?.hint}</span>
                </span>
                <Icon look="method-icon" path={methodIcon(code)} />
              </label>
            ))}
          </fieldset>
          <WhatNext text={method === undefined ? "" : next[nextStepOf(method)]} />
          <div class="buttons">
            <button type="submit" class="primary">
              {words.continue}
            </button>
          </div>
        </form>
      )}
      <Questions {...props} />
    </section>
  );
}

function nextStepOf({ card, banks }: OfferedMethod): "toCard" | "toBank" | "toTransfer" {
  return card ? "toCard" : banks === undefined ? "toTransfer" : "toBank";
}

function listMethods({ methods = [], preselected }: View): readonly OfferedMethod[] {
  return [...methods].sort((a, b) => Number(b.code === preselected) - Number(a.code === preselected));
}

/**
 * Which method's own screen is open, kept where the back button and a reload find it. A payer who chooses again, with so many
 * chances left, begins with all methods.
 */
function useDetail(left: number | undefined): [detail: string | undefined, open: (code: string) => void] {
  const [detail, setDetail] = useState<string | undefined>(() => readDetail(left));
  useEffect(() => {
    const onMoved = () => setDetail(readDetail(left));
    addEventListener("popstate", onMoved);
    return () => removeEventListener("popstate", onMoved);
  }, [left]);
  return [
    detail,
    (code) => {
      history.pushState({ method: code, left }, "");
      setDetail(code);
    },
  ];
}

function readDetail(left: number | undefined): string | undefined {
  const method: unknown = history.state?.method;
  return typeof method === "string" && history.state.left === left ? method : undefined;
}
