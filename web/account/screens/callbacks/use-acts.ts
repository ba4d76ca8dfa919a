import { useState } from "preact/hooks";
import { countText } from "../../parts/figures.tsx";
import type { Refusal } from "../../server.ts";
import { useAccount } from "../../session.ts";
import type { Replayed } from "../../wire/callbacks.ts";
import type { Words } from "../../words/en.ts";
import { refusalText, useSpeech } from "../../words/words.ts";

type Choice = { readonly ids: readonly string[] } | { readonly filter: object };

export type CallbackActs = {
  readonly replay: (choice: Choice) => Promise<void>;
  readonly dismiss: (choice: Choice) => Promise<void>;
};

/** Sends again or dismisses, says the result, and shows the list as it is then. */
export function useActs(reload: () => Promise<void>) {
  const { language, words } = useSpeech();
  const { perform } = useAccount();
  const [trouble, setTrouble] = useState<string>();
  const [done, setDone] = useState<string>();
  const count = (value: number) => countText(value, language);
  const act = async <Value>(path: string, choice: Choice, say: (value: Value) => string) => {
    setTrouble(undefined);
    setDone(undefined);
    const answer = await perform<Value>(path, choice);
    if (answer.kind === "ok") setDone(say(answer.value));
    else setTrouble(faultText(words, answer));
    await reload();
  };
  const sayReplayed = ({ replayed, last_due_in_s, left_disabled, left_under_way }: Replayed) =>
    [
      words.callbacks.replayed(count(replayed), last_due_in_s),
      ...(left_disabled > 0 ? [words.callbacks.leftDisabled(count(left_disabled))] : []),
      ...(left_under_way > 0 ? [words.callbacks.leftUnderWay(count(left_under_way))] : []),
    ].join(" ");
  return {
    trouble,
    done,
    replay: (choice: Choice) => act<Replayed>("callbacks/replay", choice, sayReplayed),
    dismiss: (choice: Choice) =>
      act<{ readonly dismissed: number }>("callbacks/dismiss", choice, ({ dismissed }) =>
        words.callbacks.dismissed(count(dismissed)),
      ),
  };
}

function faultText(words: Words, answer: Refusal): string {
  return answer.kind === "refused" && answer.code === "wrong_state"
    ? words.callbacks.nothingLeft
    : refusalText(words, answer);
}
