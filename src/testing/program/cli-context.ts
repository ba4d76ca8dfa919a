import { type CliContext, EXIT } from "../../cli/kit/command.ts";

export type RecordedContext = {
  readonly context: CliContext;
  /** What was printed, line by line, as it came. */
  readonly printed: string[];
  readonly errors: string[];
};

/** A command's world in which everything that is not given fails when it is touched. */
export function recordingContext(given: Partial<CliContext> = {}): RecordedContext {
  const printed: string[] = [];
  const errors: string[] = [];
  const notHere = () => {
    throw new Error("this command needs more than the test gave it");
  };
  const context: CliContext = {
    print: (text) => printed.push(text),
    printError: (text) => errors.push(text),
    showProgress: () => undefined,
    readInput: async () => "",
    withDatabase: notHere,
    withUncheckedDatabase: notHere,
    openKeyring: notHere,
    masterKeys: notHere,
    startService: async () => EXIT.done,
    findSandboxClock: async () => undefined,
    probeProvider: notHere,
    openConnector: notHere,
    openAlertChannels: notHere,
    untilStopped: async () => undefined,
    stateDir: "/nonexistent/.tillgate",
    publicUrl: "https://pay.example.com",
    actor: "olga",
    developmentMode: true,
    embeddedDir: undefined,
    programName: "tillgate",
    ...given,
  };
  return { context, printed, errors };
}
