import type { View } from "../view.ts";
import { useTopic } from "../words/topic.ts";
import { CHANCE_WORDS } from "../words/topics/chance.ts";

const LAST_TRIES = [1, 2] as const;

/** Why the last try came to nothing, and that the payer can try again; nothing where this is the first. */
export function LastTry({ view: { chance, methods = [] } }: { readonly view: View }) {
  const words = useTopic(CHANCE_WORDS);
  if (chance === undefined) return null;
  const { left, last } = chance;
  const why = words.why as Readonly<Record<string, string>>;
  const wasLeft = last?.decline_code === "cancelled" && !methods.some(({ code, card }) => card && code === last.method);
  const few = LAST_TRIES.find((count) => count === left);
  return (
    <div class="notice last-try" role="status">
      <p>
        <strong>{why[last?.decline_code ?? ""] ?? words.whyUnknown}</strong>
      </p>
      <p>{wasLeft ? words.doNotSend : words.notCharged}</p>
      {few === undefined ? null : <p>{words.left[few]}</p>}
    </div>
  );
}
