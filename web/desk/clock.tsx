import { useState } from "preact/hooks";
import { Panel } from "../account/parts/panel.tsx";
import { refusalText, useSpeech } from "../account/words/words.ts";
import { Notice } from "../kit/notice.tsx";
import { useDoor } from "./door.ts";
import type { MovedClock } from "./wire.ts";
import { useDeskWords } from "./words/words.ts";

const STEPS = [
  { name: "minutes", seconds: 300 },
  { name: "hour", seconds: 3_600 },
  { name: "day", seconds: 86_400 },
] as const;

/** Moves the time of this test project forward; no other project's moves with it. */
export function Clock({ onDone }: { readonly onDone: () => Promise<void> }) {
  const { words } = useSpeech();
  const desk = useDeskWords();
  const { ask } = useDoor();
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const [done, setDone] = useState<string>();
  const move = async (seconds: number, name: (typeof STEPS)[number]["name"]) => {
    if (isBusy) return;
    setBusy(true);
    setDone(undefined);
    setTrouble(undefined);
    const answer = await ask<MovedClock>("clock", { seconds });
    await onDone();
    setBusy(false);
    if (answer.kind === "ok") setDone(desk.clockMoved(desk.clockSteps[name]));
    else setTrouble(refusalText(words, answer));
  };
  return (
    <Panel title={desk.clock} text={desk.clockText}>
      <Notice text={trouble} />
      <div class="desk-buttons">
        {STEPS.map(({ name, seconds }) => (
          <button
            key={name}
            type="button"
            class="quiet"
            aria-disabled={isBusy}
            onClick={() => void move(seconds, name)}
          >
            {desk.clockSteps[name]}
          </button>
        ))}
      </div>
      <p class="done" role="status">
        {done}
      </p>
    </Panel>
  );
}
