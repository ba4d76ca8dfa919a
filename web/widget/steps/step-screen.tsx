import { TimeLeft } from "../parts/time-left.tsx";
import { NextOfStep } from "../parts/what-next.tsx";
import type { Step } from "../view.ts";
import { Challenge } from "./challenge.tsx";
import { Choose } from "./choose.tsx";
import { Attention, Decline, Success } from "./end.tsx";
import type { StepProps } from "./step-props.ts";
import { Overdue, Transfer } from "./transfer.tsx";
import { Check, Prepare } from "./waiting.tsx";

const SCREENS = {
  choose: Choose,
  prepare: Prepare,
  transfer: Transfer,
  overdue: Overdue,
  challenge: Challenge,
  check: Check,
  attention: Attention,
  success: Success,
  decline: Decline,
} as const;

/** Where the payer has something to do before the time is over. At the issuer too; that screen covers a phone's whole window. */
const TIMED: ReadonlySet<Step> = new Set(["choose", "transfer", "overdue"]);

/** The server says which step it is; each has its own screen, below the time that is left and above what happens next. */
export function StepScreen(props: StepProps) {
  const { view, reading, refresh } = props;
  const Screen = SCREENS[view.step];
  return (
    <>
      {TIMED.has(view.step) ? <TimeLeft view={view} reading={reading} onOver={refresh} /> : null}
      <Screen {...props} />
      {view.step === "challenge" ? null : <NextOfStep view={view} />}
    </>
  );
}
