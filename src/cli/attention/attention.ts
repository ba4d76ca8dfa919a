import { type PoolAttention, readAttention, SHORTFALL_DAYS } from "../../app/attention/read-attention.ts";
import { type Command, EXIT } from "../kit/command.ts";
import { printable, printJson } from "../kit/output.ts";
import { attentionJson } from "./attention-json.ts";
import { attentionLines } from "./attention-lines.ts";

export function attention(pool: PoolAttention): Command {
  return {
    name: "attention",
    summary: "List what an operator must act on, the most urgent first, each with the command to run.",
    arguments: [],
    options: { json: { type: "boolean", help: "print the figures as JSON" } },
    notes: [
      `Shortfalls and contradicted payments are those of the last ${SHORTFALL_DAYS} days. dispute:no_payment is not counted: the worker ends it.`,
      "The exit code is 0 whatever there is. Example: {program} attention",
    ],
    run: (context, input) =>
      context.withDatabase(async (db) => {
        const found = await readAttention(db, pool);
        if (input.flag("json")) printJson(context, attentionJson(found));
        else {
          const lines = attentionLines(found).map(({ what, help }) => `${what} → ${context.programName} ${help}`);
          context.print(lines.length === 0 ? "Nothing needs attention." : lines.map(printable).join("\n"));
        }
        return EXIT.done;
      }),
  };
}
