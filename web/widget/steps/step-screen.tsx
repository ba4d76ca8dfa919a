import type { Perform } from "../app.tsx";
import type { Reading } from "../countdown.ts";
import type { View } from "../view.ts";
import { Challenge } from "./challenge.tsx";
import { Choose } from "./choose.tsx";
import { Attention, Decline, Success } from "./end.tsx";
import { Overdue, Transfer } from "./transfer.tsx";
import { Check, Prepare } from "./waiting.tsx";

export type StepProps = {
  readonly view: View;
  readonly reading: Reading;
  readonly perform: Perform;
  readonly refresh: () => void;
};

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
