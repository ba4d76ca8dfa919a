import { type ParseArgsConfig, parseArgs } from "node:util";
import { reasonOf } from "../../platform/log.ts";
import { explainLack, isUnavailable, lacksRight } from "../../store/faults.ts";
import { withActor } from "../../store/people/with-actor.ts";
import { COMMANDS } from "../commands.ts";
import { type CliContext, CliFault, type Command, type CommandInput, EXIT } from "./command.ts";
import { commandHelp, groupHelp, programHelp } from "./help.ts";
import { suggestion } from "./nearest.ts";

/** Finds the command that the words name, reads its options, runs it, and turns what happened into an exit code. */
export async function runCli(context: CliContext, words: readonly string[]): Promise<number> {
  const command = findCommand(words);
  if (command === undefined) return answerWithoutCommand(context, words);
  const rest = words.slice(command.name.split(" ").length);
  if (rest.includes("--help") || rest.includes("-h")) {
    return showHelp(context, command);
  }
  try {
    return await command.run(asOperator(context), readInput(command, rest));
  } catch (error) {
    return answerFailure(context, command, error);
  }
}

/** Whether these words name a command that speaks to the service with a merchant's keys, and to nothing else. */
export function isForDevelopers(words: readonly string[]): boolean {
  return findCommand(words)?.audience === "developers";
}

/** The one place that all commands get their database from: what they change is written into the audit log with the operator's name. */
function asOperator(context: CliContext): CliContext {
  return { ...context, withDatabase: (work) => context.withDatabase((db) => work(withActor(db, context.actor))) };
}

/** The command that these words name, with its options read; throws a CliFault when they are not understood. */
export function understand(words: readonly string[]): { readonly command: Command; readonly input: CommandInput } {
  const command = findCommand(words);
  if (command === undefined) throw new CliFault(`There is no command "${words.join(" ")}".`, EXIT.usage);
  return { command, input: readInput(command, words.slice(command.name.split(" ").length)) };
}

function findCommand(words: readonly string[]): Command | undefined {
  const byLength = COMMANDS.toSorted((a, b) => b.name.length - a.name.length);
  return byLength.find((command) => command.name.split(" ").every((word, index) => words[index] === word));
}

function answerWithoutCommand(context: CliContext, words: readonly string[]): number {
  const [first, ...others] = words;
  if (first === "help" && others.length > 0) return runHelp(context, others);
  if (first === undefined || first === "help" || first === "--help" || first === "-h") {
    context.print(programHelp(context.programName, COMMANDS));
    return first === undefined ? EXIT.usage : EXIT.done;
  }
  const group = COMMANDS.filter((command) => command.name.startsWith(`${first} `));
  if (group.length > 0) {
    const asked = words.includes("--help") || words.includes("-h");
    const [, second] = words;
    if (!asked && second !== undefined) context.printError(`${unknownCommand(words)}\n`);
    context.print(groupHelp(context.programName, group));
    return asked ? EXIT.done : EXIT.usage;
  }
  context.printError(`${unknownCommand(words)} See ${context.programName} --help.`);
  return EXIT.usage;
}

/** `help call` is `call --help`; a word that names no command says so, whatever follows it. */
function runHelp(context: CliContext, words: readonly string[]): number {
  const command = findCommand(words);
  return command === undefined ? answerWithoutCommand(context, [...words, "--help"]) : showHelp(context, command);
}

function showHelp(context: CliContext, command: Command): number {
  const related = COMMANDS.filter(({ name }) => name.startsWith(`${command.name} `));
  context.print(commandHelp(context.programName, command, related));
  return EXIT.done;
}

function unknownCommand(words: readonly string[]): string {
  const [first = "", second] = words.filter((word) => !word.startsWith("--"));
  const isGroup = COMMANDS.some((command) => command.name.startsWith(`${first} `));
  const typed = isGroup && second !== undefined ? `${first} ${second}` : first;
  const names = COMMANDS.map(({ name }) => name);
  const firstWords = names.map((name) => name.split(" ")[0] ?? "");
  return `There is no command "${typed}".${suggestion(typed, [...names, ...firstWords])}`;
}

function readInput(command: Command, words: readonly string[]): CommandInput {
  const parsed = parseWords(command, words);
  const required = command.arguments.filter((name) => !name.startsWith("["));
  const { positionals } = parsed;
  if (positionals.length < required.length) {
    throw new CliFault(`${required[positionals.length]} is missing.`, EXIT.usage);
  }
  if (positionals.length > command.arguments.length) {
    const word = positionals[command.arguments.length];
    const sentence = command.hidesWords ? "There is one word too many." : `"${word}" is one word too many.`;
    throw new CliFault(sentence, EXIT.usage);
  }
  const values: Record<string, unknown> = parsed.values;
  return {
    positionals,
    text: (option) => (typeof values[option] === "string" ? values[option] : undefined),
    texts: (option) => (Array.isArray(values[option]) ? values[option].map(String) : undefined),
    flag: (option) => values[option] === true,
  };
}

function parseWords(command: Command, words: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { type, multiple, short }]) => [
      name,
      { type, ...(multiple ? { multiple } : {}), ...(short ? { short } : {}) },
    ]),
  );
  const parsed = parseStrictly(words, options, command);
  refuseRepeated(command, parsed.tokens);
  return parsed;
}

/** Taking the last of several values would silently drop what the person also asked for. */
function refuseRepeated(command: Command, tokens: ReturnType<typeof parseStrictly>["tokens"]): void {
  const single = tokens.flatMap((token) =>
    token.kind === "option" && command.options[token.name]?.type === "string" && !command.options[token.name]?.multiple
      ? [token.name]
      : [],
  );
  const twice = single.find((name, index) => single.indexOf(name) !== index);
  if (twice !== undefined) throw new CliFault(`--${twice} takes one value, and is given more than once.`, EXIT.usage);
}

function parseStrictly(
  words: readonly string[],
  options: NonNullable<ParseArgsConfig["options"]>,
  { options: known }: Command,
) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, strict: true, tokens: true });
  } catch (error) {
    // Node's own sentence names the option; what follows its first sentence is advice about Node.
    const message = error instanceof Error ? (error.message.split(/\.\s/)[0] ?? "") : "";
    const [, unknown] = /^Unknown option '(--[^']+)'/.exec(message) ?? [];
    const meant =
      unknown === undefined
        ? ""
        : suggestion(
            unknown,
            [...Object.keys(known), "help"].map((name) => `--${name}`),
          );
    throw new CliFault(
      `${message.replace("argument is ambiguous", "has no value, or one that begins with a dash: write that one behind an equals sign")}.${meant}`,
      EXIT.usage,
    );
  }
}

function answerFailure(context: CliContext, command: Command, error: unknown): number {
  if (error instanceof CliFault) {
    context.printError(error.message);
    if (error.exitCode === EXIT.usage) context.printError(`See ${context.programName} ${command.name} --help.`);
    return error.exitCode;
  }
  if (isUnavailable(error)) {
    context.printError(`The database does not answer: ${reasonOf(error)}`);
    return EXIT.unavailable;
  }
  if (lacksRight(error)) {
    context.printError(explainLack(error));
    return EXIT.refused;
  }
  throw error;
}
