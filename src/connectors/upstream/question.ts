import type { Channel } from "./channel.ts";
import { findPayment } from "./create.ts";
import { findRefusal } from "./refusals.ts";
import type { WirePayment } from "./wire.ts";

type Found =
  | { readonly kind: "payment"; readonly payment: WirePayment }
  | { readonly kind: "never_seen" }
  | { readonly kind: "unknown" };

/** What the gateway knows under a reference, on any of these paths. */
export type Question = (paths: readonly string[], reference: string) => Promise<Found>;

/** Never seen is what every path must say, in the protocol's own words: a bare 404 may come from anything on the way. */
export function openQuestion({ ask }: Pick<Channel, "ask">, projectId: string): Question {
  return async (paths, reference) => {
    for (const path of paths) {
      const answer = await ask(`${path}/info`, { general: { project_id: projectId, payment_id: reference } });
      const payment = findPayment(answer, projectId, reference);
      if (payment !== undefined) return { kind: "payment", payment };
      if (findRefusal(answer)?.meaning !== "not_found") return { kind: "unknown" };
    }
    return { kind: "never_seen" };
  };
}
