import type { CheckAnswer } from "../../wire/pay-out.ts";
import { withQuery } from "../../with-query.ts";

/** Where a check leads: to the batch that it made, or to the one that the same file made before. */
export function pathAfterCheck(answer: Exclude<CheckAnswer, { result: "faults" }>): string {
  return withQuery(`pay-out/${answer.id}`, answer.result === "same_file" ? { same: "file" } : {});
}
