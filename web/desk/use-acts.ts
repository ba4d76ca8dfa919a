import { useState } from "preact/hooks";
import { refusalText, useSpeech } from "../account/words/words.ts";
import { type DeskBody, useDoor } from "./door.ts";
import type { ApiAnswer, DeskPayment } from "./wire.ts";
import { useDeskWords } from "./words/words.ts";

export type ActProps = { readonly payment: DeskPayment; readonly onDone: () => Promise<void> };

export type Acts = {
  readonly payment: DeskPayment;
  readonly isBusy: boolean;
  /** Why the last one was not done. */
  readonly trouble: string | undefined;
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
  const { payment_id, direction, form_url } = payment;
  const perform = async (name: string, body: DeskBody) => {
    if (isBusy) return;
    setBusy(true);
    const answer = await ask<Partial<ApiAnswer>>(name, body);
    const told = answer.kind === "ok" ? answer.value.answer?.code : undefined;
    setTrouble(answer.kind === "ok" ? told && desk.apiRefused(told) : refusalText(words, answer));
    await onDone();
    setBusy(false);
  };
  const general = { payment_id };
  return {
    payment,
    isBusy,
    trouble,
    act: (wish) => void perform("act", { general, direction, ...wish }),
    moveToExpiry: () => void perform("clock", { general, direction, to: "expiry" }),
    tell: (what) => {
      const product = form_url === undefined ? "payment/p2p" : "widget";
      void perform("call", { path: `/api/v1/${product}/payin/${what}`, body: { general } });
    },
  };
}
