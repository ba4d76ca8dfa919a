import { expect } from "vitest";
import { type CliContext, EXIT } from "../../cli/kit/command.ts";
import { runCli } from "../../cli/kit/run.ts";
import type { Database } from "../../store/db.ts";
import { recordingContext } from "./cli-context.ts";

export type CommandAnswer = { readonly exitCode: number; readonly printed: string; readonly errors: string };

export type CommandLine = (...words: string[]) => Promise<CommandAnswer>;

/** Commands in this process, on the database of a test, as the operator `olga`. */
export function openCommandLine(
  db: Database,
  stateDir = "/nonexistent/.tillgate",
  given: Partial<CliContext> = {},
): CommandLine {
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

/** Commands whose outcome the test knows beforehand. */
export function outcomesOf(tillgate: CommandLine) {
  /** Of a command that must succeed: what it printed. */
  async function print(...words: string[]): Promise<string> {
    const { exitCode, printed, errors } = await tillgate(...words);
    expect([words.join(" "), exitCode, errors]).toEqual([words.join(" "), EXIT.done, ""]);
    return printed;
  }
  return {
    print,
    json: async (...words: string[]) => JSON.parse(await print(...words, "--json")),
    /** Of a command that must be refused: its sentence. */
    refusal: async (...words: string[]): Promise<string> => {
      const { exitCode, printed, errors } = await tillgate(...words);
      expect([words.join(" "), exitCode, printed]).toEqual([words.join(" "), EXIT.refused, ""]);
      return errors;
    },
  };
}
