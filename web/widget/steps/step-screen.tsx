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

/** The server says which step it is; each has its own screen. */
export function StepScreen(props: StepProps) {
  const Screen = SCREENS[props.view.step];
  return <Screen {...props} />;
}
