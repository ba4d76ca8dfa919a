import { METHODS } from "../../../core/merchants/methods.ts";
import { PROVIDERS } from "../../../core/providers.ts";
import type { Command } from "../command.ts";

/** What a shell can complete, without anything that a shell would read as its own: made from the command table. */
export type CompletedCommand = {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  /** For each argument in order, the words that it can be. */
  readonly arguments: readonly CompletedValue[];
};

type CompletedOption = {
  /** With its dashes. */
  readonly name: string;
  readonly help: string;
  /** Undefined for an option that takes no value. */
  readonly value: CompletedValue | undefined;
};

export type CompletedValue =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "file" }
  /** Only the person knows it: an id, an amount. */
  | { readonly kind: "open" };

/** Arguments that mean the same in every command. */
const WORDS_OF_ARGUMENT: Readonly<Record<string, readonly string[]>> = {
  METHOD: Object.keys(METHODS),
  PROVIDER: Object.keys(PROVIDERS),
};

const HELP: CompletedOption = { name: "--help", help: "describe the command", value: undefined };

export function completionTable(commands: readonly Command[]): CompletedCommand[] {
  return commands.map(({ name, summary, options, arguments: positionals, argumentWords = {} }) => ({
    name,
    summary,
    options: [
      ...Object.entries(options).map(([option, spec]) => ({
        name: `--${option}`,
        help: spec.help,
        value: spec.type === "boolean" ? undefined : completedValue(spec.value, spec.words),
      })),
      HELP,
    ],
    arguments: positionals.map((argument) => {
      const bare = argument.replaceAll(/[[\]]/g, "");
      return completedValue(bare, argumentWords[bare] ?? WORDS_OF_ARGUMENT[bare]);
    }),
  }));
}

/** `test|live` names its words by itself, and of `N|none` the one that is a word. */
function completedValue(name: string | undefined, given: readonly string[] | undefined): CompletedValue {
  if (name === "FILE") return { kind: "file" };
  const named = name?.includes("|") ? name.split("|").filter((word) => /^[a-z_-]+$/.test(word)) : [];
  const words = given ?? named;
  return words.length === 0 ? { kind: "open" } : { kind: "words", words: words.map(requirePlain) };
}

/** Scripts hold these words unquoted; one that a shell would read otherwise is a fault of the command table. */
function requirePlain(word: string): string {
  if (!/^[A-Za-z0-9_./-]+$/.test(word)) throw new Error(`${word} cannot be completed`);
  return word;
}

/** Every word that may follow these first words of a command: `["project"]` is followed by `create`, `list`, … */
export function nextWords(commands: readonly CompletedCommand[], before: readonly string[]): string[] {
  const followers = commands.flatMap(({ name }) => {
    const words = name.split(" ");
    const next = words[before.length];
    return next !== undefined && before.every((word, index) => words[index] === word) ? [next] : [];
  });
  return [...new Set(followers)];
}

/** Every proper beginning of a command's name, the empty one too. */
export function beginnings(commands: readonly CompletedCommand[]): string[][] {
  const found = commands.flatMap(({ name }) => {
    const words = name.split(" ");
    return words.map((_, length) => words.slice(0, length));
  });
  return [...new Map(found.map((words) => [words.join(" "), words])).values()];
}
