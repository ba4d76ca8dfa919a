import type { CliContext } from "../../cli/kit/command.ts";
import { runCli } from "../../cli/kit/run.ts";
import type { Database } from "../../store/db.ts";
import { recordingContext } from "./cli-context.ts";

export type CommandAnswer = { readonly exitCode: number; readonly printed: string; readonly errors: string };

/** Commands in this process, on the database of a test, as the operator `olga`. */
export function openCommandLine(
  db: Database,
  stateDir = "/nonexistent/.tillgate",
  given: Partial<CliContext> = {},
): (...words: string[]) => Promise<CommandAnswer> {
  return async (...words) => {
    const { context, printed, errors } = recordingContext({
      withDatabase: (work) => work(db),
      withUncheckedDatabase: (work) => work(db),
      developmentMode: false,
      stateDir,
      ...given,
    });
    const exitCode = await runCli(context, words);
    return { exitCode, printed: printed.join("\n"), errors: errors.join("\n") };
  };
}
