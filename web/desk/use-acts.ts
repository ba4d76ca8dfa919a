import { useEffect, useRef, useState } from "preact/hooks";
import { refusalText, useSpeech } from "../account/words/words.ts";
import { type DeskBody, useDoor } from "./door.ts";
import type { ApiAnswer, DeskPayment } from "./wire.ts";
import { useDeskWords } from "./words/words.ts";

export type ActProps = {
  readonly payment: DeskPayment;
  /** With the payment as the service showed it then, where it did. */
  readonly onDone: (after?: DeskPayment) => Promise<void>;
};

/** So long after an act its payment may still be moved by it. */
const KEEPS_FOCUS_MS = 5_000;

/** Where the focus goes when the button that was pressed is gone. */
export function placeOf({ id }: DeskPayment): string {
  return `payment-${id}`;
}

export type Acts = {
  readonly payment: DeskPayment;
  readonly isBusy: boolean;
  /** Why the last one was not done. */
  readonly trouble: string | undefined;
  /** The last one was done, and the payment's state does not show it. */
  readonly isUnseen: boolean;
  /** In the place of the outside world. */
  readonly act: (wish: { readonly action: string; readonly amount?: number; readonly reason?: string }) => void;
  readonly moveToExpiry: () => void;
  /** In the place of the merchant's server, which says what its payer says. */
  readonly tell: (what: "confirm" | "cancel") => void;
};

/** Does one thing at a time to a payment, and shows how it stands then. */
export function useActs({ payment, onDone }: ActProps): Acts {
  const { words } = useSpeech();
  const desk = useDeskWords();
  const { ask } = useDoor();
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const [isUnseen, setUnseen] = useState(false);
  const { payment_id, direction, form_url, status, sub_status } = payment;
  // A payment that has ended stands in another list, and its buttons are others: the next key still belongs to it.
  const lastActMs = useRef(-KEEPS_FOCUS_MS);
  const keepFocus = () => {
    if (performance.now() - lastActMs.current > KEEPS_FOCUS_MS || document.activeElement !== document.body) return;
    document.getElementById(placeOf(payment))?.focus();
  };
  useEffect(keepFocus);
  useEffect(() => () => void requestAnimationFrame(keepFocus), []);
  const perform = async (name: string, body: DeskBody) => {
    if (isBusy) return;
    setBusy(true);
    lastActMs.current = performance.now();
    const answer = await ask<Partial<ApiAnswer> & Partial<DeskPayment>>(name, body);
    const after = answer.kind === "ok" ? answer.value : {};
    setUnseen(after.id !== undefined && after.status === status && after.sub_status === sub_status);
    // Only refusals have a code; disputes and declines are described too.
    const refused = after.answer?.code === undefined ? undefined : (after.answer.status_description ?? "");
    setTrouble(
      answer.kind === "ok"
        ? refused === undefined
          ? undefined
          : desk.apiRefused(refused)
        : refusalText(words, answer),
    );
    await onDone(after.id === undefined ? undefined : (after as DeskPayment));
    setBusy(false);
    lastActMs.current = performance.now();
    requestAnimationFrame(keepFocus);
  };
  const general = { payment_id };
  return {
    payment,
    isBusy,
    trouble,
    isUnseen,
    act: (wish) => void perform("act", { general, direction, ...wish }),
    moveToExpiry: () => void perform("clock", { general, direction, to: "expiry" }),
    tell: (what) => {
      const product = form_url === undefined ? "payment/p2p" : "widget";
      void perform("call", { path: `/api/v1/${product}/payin/${what}`, body: { general } });
    },
  };
}
