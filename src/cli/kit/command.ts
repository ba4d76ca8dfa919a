import type { OpenAlertChannels } from "../../app/alerts/alert-channel.ts";
import type { MoveSandboxClock } from "../../app/payments/move-clock.ts";
import type { MasterKeys } from "../../app/processes/open-keyring.ts";
import type { ClosableConnector } from "../../app/providers/configured-connectors.ts";
import type { OpenProvider } from "../../app/providers/open-provider.ts";
import type { ProviderProbe } from "../../core/provider-probe.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { Database } from "../../store/db.ts";
import type { ProcessRole } from "../../store/processes/processes.ts";

/** What a command can use. `main.ts` makes it, so that commands never read the environment themselves. */
export type CliContext = {
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
  /** One line that is written over by the next, on a terminal only; undefined takes it away. */
  readonly showProgress: (text: string | undefined) => void;
  readonly readInput: () => Promise<string>;
  /** Connects, and brings up the embedded server for the time of the command if it is not running. */
  readonly withDatabase: <T>(work: (db: Database) => Promise<T>) => Promise<T>;
  /** The same without looking whether the schema is current: for `migrate` alone. */
  readonly withUncheckedDatabase: <T>(work: (db: Database) => Promise<T>) => Promise<T>;
  readonly openKeyring: (db: Database) => Promise<Keyring>;
  readonly masterKeys: () => MasterKeys;
  readonly startService: (role: ProcessRole) => Promise<number>;
  /** The clock of the sandbox that runs on this machine; undefined where none was ever started. */
  readonly findSandboxClock: (db: Database) => Promise<MoveSandboxClock | undefined>;
  /** Asks a configured provider, from this machine, with the keys that are in force. */
  readonly probeProvider: (provider: OpenProvider) => Promise<ProviderProbe>;
  /** A configured provider or the sandbox, to ask it something; the command closes it. Ends the command where it cannot be opened. */
  readonly openConnector: (db: Database, code: string) => Promise<ClosableConnector>;
  /** The ways by which operators are told, as the settings name them. The command closes them. */
  readonly openAlertChannels: () => Promise<OpenAlertChannels>;
  /** Kept when the person ends the command, with Ctrl-C or a signal. */
  readonly untilStopped: () => Promise<unknown>;
  readonly stateDir: string;
  /** Where people reach the service, for links; undefined where no setting says so. */
  readonly publicUrl: string | undefined;
  /** Who runs this, for records that name their actor. */
  readonly actor: string;
  readonly developmentMode: boolean;
  /** Where the embedded database is; undefined with DATABASE_URL. */
  readonly embeddedDir: string | undefined;
  /** How a person calls this program: `./tillgate` in a clone, `tillgate` once installed. */
  readonly programName: string;
};

/** What the exit code of every command means. */
export const EXIT = {
  done: 0,
  /** The command was understood, and the answer is no: nothing was changed. */
  refused: 1,
  /** The command was not understood. */
  usage: 2,
  /** The database or the service does not answer; trying again may help. */
  unavailable: 3,
  /** `ledger check` found the books wrong, or `reconcile` that a bank or a provider says otherwise. */
  violations: 4,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends a command with a sentence for the person who called it. */
export class CliFault extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT.refused) {
    super(message);
    this.exitCode = exitCode;
  }
}

export type OptionSpec = {
  readonly type: "string" | "boolean";
  readonly multiple?: true;
  readonly short?: string;
  /** How the value is shown in the help: `--currency CODE`. A shell completes a FILE with the names of files. */
  readonly value?: string;
  /** Words that the value can be, for a shell to complete. What else is accepted, the command decides. */
  readonly words?: readonly string[];
  readonly help: string;
};

export type CommandInput = {
  readonly positionals: readonly string[];
  readonly text: (option: string) => string | undefined;
  readonly texts: (option: string) => readonly string[] | undefined;
  readonly flag: (option: string) => boolean;
};

export type Command = {
  /** `project create`, `ledger check`. */
  readonly name: string;
  readonly summary: string;
  /** The positional arguments, in order: `["PROJECT"]`; one in brackets may be left out: `["PATH", "[JSON]"]`. */
  readonly arguments: readonly string[];
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** Words that an argument can be, by its name, for a shell to complete: `{ SHELL: ["bash", "zsh"] }`. */
  readonly argumentWords?: Readonly<Record<string, readonly string[]>>;
  /** Absent: operators. Commands for developers speak to the service with a merchant's keys, and need no database. */
  readonly audience?: "everyone" | "developers";
  /** Lines below the options in `--help`; above all, an example. `{program}` becomes the program's name, to be pasted. */
  readonly notes?: readonly string[];
  /** A word too many may be part of a card's number, or of a name: it is not repeated. */
  readonly hidesWords?: true;
  readonly run: (context: CliContext, input: CommandInput) => Promise<ExitCode | number>;
};
