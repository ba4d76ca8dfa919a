import { useEffect, useRef, useState } from "preact/hooks";
import type { Refusal } from "../account/server.ts";
import { useDoor } from "./door.ts";
import type { DeskPayment, EchoedCallback, EchoedCallbacks, OrderedFault } from "./wire.ts";

/** Often enough to be seen arriving, and no more than one question at a time. */
const LOOK_EVERY_MS = 1_000;
/** As many as the service keeps. */
const CALLBACKS_MAX = 200;

export type DeskState = {
  /** Undefined until the first answer. */
  readonly payments: readonly DeskPayment[] | undefined;
  readonly callbacks: readonly EchoedCallback[];
  readonly echoUrl: string | undefined;
  readonly faults: readonly OrderedFault[];
  /** The last question was not answered; what is shown may be old. */
  readonly trouble: Refusal | undefined;
};

const NOTHING: DeskState = {
  payments: undefined,
  callbacks: [],
  echoUrl: undefined,
  faults: [],
  trouble: undefined,
};

/** What the desk shows, read again each second while the page can be seen. */
export function useDesk(): DeskState & { readonly look: () => Promise<void> } {
  const { ask } = useDoor();
  const [state, setState] = useState(NOTHING);
  const newest = useRef<string | undefined>(undefined);
  const asked = useRef(0);

  const look = async () => {
    asked.current += 1;
    const number = asked.current;
    const after = newest.current;
    const [payments, callbacks, faults] = await Promise.all([
      ask<{ readonly payments: readonly DeskPayment[] }>("payments"),
      ask<EchoedCallbacks>("callbacks", after === undefined ? {} : { after }),
      ask<{ readonly faults: readonly OrderedFault[] }>("faults/list"),
    ]);
    // An answer to an older question is not shown.
    if (number !== asked.current) return;
    const refused = [payments, callbacks, faults].find(({ kind }) => kind !== "ok") as Refusal | undefined;
    if (callbacks.kind === "ok") newest.current = callbacks.value.callbacks[0]?.id ?? after;
    setState((now) => ({
      payments: payments.kind === "ok" ? payments.value.payments : now.payments,
      callbacks: callbacks.kind === "ok" ? joined(callbacks.value.callbacks, now.callbacks) : now.callbacks,
      echoUrl: callbacks.kind === "ok" ? callbacks.value.echo_url : now.echoUrl,
      faults: faults.kind === "ok" ? faults.value.faults : now.faults,
      trouble: refused,
    }));
  };

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    const goOn = async () => {
      clearTimeout(timer);
      if (document.visibilityState === "visible") await look();
      if (!isGone) timer = setTimeout(goOn, LOOK_EVERY_MS);
    };
    void goOn();
    return () => {
      isGone = true;
      clearTimeout(timer);
      // What is still on its way is for a desk that is gone.
      asked.current += 1;
    };
  }, []);
  return { ...state, look };
}

/** Newest first, each once. */
function joined(fresh: readonly EchoedCallback[], known: readonly EchoedCallback[]): readonly EchoedCallback[] {
  if (fresh.length === 0) return known;
  const ids = new Set(fresh.map(({ id }) => id));
  return [...fresh, ...known.filter(({ id }) => !ids.has(id))].slice(0, CALLBACKS_MAX);
}
