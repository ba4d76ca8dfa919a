import { useState } from "preact/hooks";
import { ConfirmDialog } from "../../kit/dialog.tsx";
import type { StepProps } from "../steps/step-props.ts";
import { useTopic } from "../words/topic.ts";
import { CHANCE_WORDS } from "../words/topics/chance.ts";

/** Leaves this way to pay, after a question; nothing where the server does not let the payer. */
export function ChangeMethod({ view, perform }: Pick<StepProps, "view" | "perform">) {
  const words = useTopic(CHANCE_WORDS);
  const [asking, setAsking] = useState(false);
  if (!view.actions.includes("change")) return null;
  const { title, yes, no } = words.ask;
  return (
    <>
      <button type="button" class="quiet" onClick={() => setAsking(true)}>
        {words.change}
      </button>
      {asking ? (
        <ConfirmDialog
          title={title}
          text={view.step === "transfer" ? words.askTransfer : words.askChallenge}
          yes={yes}
          no={no}
          offered={view.step === "transfer" ? "no" : "yes"}
          onYes={() => {
            setAsking(false);
            perform("change");
          }}
          onNo={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}
