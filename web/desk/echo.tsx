import { useState } from "preact/hooks";
import { CopyText } from "../account/parts/copy-text.tsx";
import { SelectField } from "../account/parts/fields.tsx";
import { refusalText, useSpeech } from "../account/words/words.ts";
import { Notice } from "../kit/notice.tsx";
import { useDoor } from "./door.ts";
import { useDeskWords } from "./words/words.ts";

/** What the echo endpoint answers next. */
const ANSWERS = {
  accept: { status: 204 },
  fail_once: { status: 500, times: 1 },
  fail_thrice: { status: 500, times: 3 },
  gone: { status: 410, times: 1 },
} as const;
type AnswerName = keyof typeof ANSWERS;
const ANSWER_NAMES = Object.keys(ANSWERS) as readonly AnswerName[];

/** The built-in endpoint: its URL, what it answers, and a way to send the project's callbacks there. */
export function Echo({ url }: { readonly url: string }) {
  const { words } = useSpeech();
  const desk = useDeskWords();
  const { ask, sendCallbacksTo } = useDoor();
  const [answer, setAnswer] = useState<AnswerName>("accept");
  const [trouble, setTrouble] = useState<string>();
  const [done, setDone] = useState<string>();
  const tell = (said: string, result: Awaited<ReturnType<typeof ask>>) => {
    setDone(result.kind === "ok" ? said : undefined);
    setTrouble(result.kind === "ok" ? undefined : refusalText(words, result));
  };
  const choose = async (next: string) => {
    const name = ANSWER_NAMES.find((each) => each === next) ?? answer;
    setAnswer(name);
    tell(desk.answerSet, await ask("callbacks/answer", ANSWERS[name]));
  };
  return (
    <div class="echo">
      <Notice text={trouble} />
      <p class="echo-url">
        <CopyText text={url} label={desk.echoUrl} />
      </p>
      <div class="echo-acts">
        <SelectField
          label={desk.answersNext}
          value={answer}
          options={ANSWER_NAMES.map((each) => ({ value: each, name: desk.answers[each] }))}
          onChange={(next) => void choose(next)}
        />
        <button
          type="button"
          class="quiet"
          onClick={async () => tell(desk.callbacksComeHere, await sendCallbacksTo(url))}
        >
          {desk.sendHere}
        </button>
      </div>
      <p class="done" role="status">
        {done}
      </p>
    </div>
  );
}
