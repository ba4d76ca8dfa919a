import type { CommandInput } from "../kit/command.ts";
import { renderPairs } from "../kit/output.ts";
import { isFinalAnswer, type PaymentAnswer } from "./payment-answer.ts";
import { shellWord } from "./shell-words.ts";
import { DOORS, type WatchedPayment } from "./watch-payment.ts";

/** What the person can do now, as commands to paste; they name the same credentials. */
export function nextSteps(
  programName: string,
  { paymentId, door }: WatchedPayment,
  payment: PaymentAnswer,
  input: CommandInput,
): string {
  const given = ["credentials", "base-url"].flatMap((option) => {
    const value = input.text(option);
    return value === undefined ? [] : [`--${option}`, shellWord(value)];
  });
  const call = (path: string, body?: string) =>
    [
      programName,
      "call",
      path,
      "--payment-id",
      shellWord(paymentId),
      ...(body === undefined ? [] : [body]),
      ...given,
    ].join(" ");
  const look = ["look at it", call(`${door}/info`)] as const;
  if (isFinalAnswer(payment)) return `Next:\n${indented([look])}`;
  const awaitsTransfer = payment.subStatus === "awaiting_confirm";
  const steps = [
    ...(awaitsTransfer ? [["the payer has sent it", call(`${door}/confirm`)] as const] : []),
    ...(awaitsTransfer ? [["the payer gives up", call(`${door}/cancel`)] as const] : []),
    look,
    ...sandboxSteps(door, payment, call),
  ];
  return `Next:\n${indented(steps)}`;
}

/** In the sandbox a developer plays the outside world too. */
function sandboxSteps(
  door: WatchedPayment["door"],
  { subStatus }: PaymentAnswer,
  call: (path: string, body: string) => string,
): (readonly [string, string])[] {
  const act = (action: string, direction?: string) =>
    call("/sandbox/api/act", `'${JSON.stringify({ ...(direction === undefined ? {} : { direction }), action })}'`);
  if (subStatus === "awaiting_confirm" || (subStatus === "paid" && door === DOORS.p2pPayin)) {
    return [["sandbox: it arrives", act("arrive")]];
  }
  if (subStatus === "awaiting_3ds_result") return [["sandbox: the issuer agrees", act("approve")]];
  if (subStatus === "payout_process") return [["sandbox: the bank pays", act("pay", "payout")]];
  return [];
}

function indented(steps: readonly (readonly [string, string])[]): string {
  return renderPairs(steps.map(([name, command]) => [`  ${name}:`, command] as const));
}
