import { useEffect } from "preact/hooks";
import { formatTime } from "../../kit/dates.ts";
import { clockText, type Reading, useSecondsLeft } from "../countdown.ts";
import type { View } from "../view.ts";
import { useSpeech } from "../words/words.ts";

const ASK_AGAIN_MS = 2_000;
/** Read out when so many minutes are left. Every second would be a flood, and never would be a surprise. */
const TOLD_MINUTES = [1, 5];

/** Counts by the server's time. At zero the server is asked what comes next, until it says. */
export function TimeLeft(props: { readonly view: View; readonly reading: Reading; readonly onOver: () => void }) {
  const { until } = props.view;
  const { language, words } = useSpeech();
  const left = useSecondsLeft(until, props.reading);
  const isOver = left === 0;
  useEffect(() => {
    if (!isOver || until === null) return;
    props.onOver();
    const timer = setInterval(props.onOver, ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isOver, until]);
  if (until === null) return null;
  const time = formatTime(until, language);
  const told = TOLD_MINUTES.find((minutes) => left <= minutes * 60);
  return (
    <p class={left < 60 ? "time-left short" : "time-left"}>
      {words.timeLeft}{" "}
      <span role="timer" aria-live="off" class="clock">
        {clockText(left)}
      </span>{" "}
      <span class="until">{words.payBefore(time)}</span>
      <span class="unseen" role="status">
        {told === undefined || left === 0 ? null : words.minutesLeft(told)}
      </span>
    </p>
  );
}
