import { type CliContext, EXIT } from "../cli/command.ts";
import { runCli } from "../cli/run.ts";
import type { Database } from "../store/db.ts";

export type CommandAnswer = { readonly exitCode: number; readonly printed: string; readonly errors: string };

/** Commands in this process, on the database of a test, as the operator `olga`. */
export function openCommandLine(
  db: Database,
  stateDir = "/nonexistent/.tillgate",
): (...words: string[]) => Promise<CommandAnswer> {
  const notHere = () => {
    throw new Error("this command needs more than a database");
  };
  return async (...words) => {
    const printed: string[] = [];
    const errors: string[] = [];
    const context: CliContext = {
      print: (text) => printed.push(text),
      printError: (text) => errors.push(text),
      readInput: async () => "",
      withDatabase: (work) => work(db),
      withUncheckedDatabase: (work) => work(db),
      openKeyring: notHere,
      masterKeys: notHere,
      startService: async () => EXIT.done,
      findSandboxClock: async () => undefined,
      stateDir,
      actor: "olga",
      developmentMode: false,
      programName: "tillgate",
    };
    const exitCode = await runCli(context, words);
    return { exitCode, printed: printed.join("\n"), errors: errors.join("\n") };
  };
}
