import type { Command, OptionSpec } from "./command.ts";

/** The groups of the help, in their order. */
const AUDIENCES = [
  ["everyone", "To begin:"],
  [
    "developers",
    "For the developer of a merchant's server, with the sandbox's keys or a test project's (--credentials):",
  ],
  ["operators", "For the operator:"],
] as const;

/** All commands, by the people that they are for. */
export function programHelp(programName: string, commands: readonly Command[]): string {
  const groups = AUDIENCES.flatMap(([audience, title]) => {
    const ofIt = commands.filter((command) => (command.audience ?? "operators") === audience);
    return ofIt.length === 0 ? [] : ["", title, ...commandLines(ofIt, commands)];
  });
  return [
    `Usage: ${programName} COMMAND [options]`,
    ...groups,
    "",
    `${programName} COMMAND --help describes a command; ${programName} completion --help says how a shell completes them.`,
  ].join("\n");
}

/** The commands that begin with the same word. */
export function groupHelp(programName: string, commands: readonly Command[]): string {
  return [
    `Usage: ${programName} COMMAND [options]`,
    "",
    ...commandLines(commands, commands),
    "",
    `${programName} COMMAND --help describes a command.`,
  ].join("\n");
}

function commandLines(commands: readonly Command[], aligned: readonly Command[]): string[] {
  const width = Math.max(...aligned.map((command) => usageOf(command).length));
  return commands.map((command) => `  ${usageOf(command).padEnd(width)}  ${command.summary}`);
}

/** `related` are the commands whose names begin with this one's: `payout list` beside `payout`. */
export function commandHelp(programName: string, command: Command, related: readonly Command[]): string {
  const options = Object.entries(command.options).map(([name, spec]) => [optionUsage(name, spec), spec.help] as const);
  const width = Math.max(0, ...options.map(([usage]) => usage.length));
  return [
    `Usage: ${programName} ${usageOf(command)}${options.length > 0 ? " [options]" : ""}`,
    "",
    command.summary,
    ...(options.length > 0 ? ["", ...options.map(([usage, help]) => `  ${usage.padEnd(width)}  ${help}`)] : []),
    ...(command.notes === undefined
      ? []
      : ["", ...command.notes.map((note) => note.replaceAll("{program}", programName))]),
    ...(related.length === 0 ? [] : ["", `See also: ${related.map(({ name }) => name).join(", ")}.`]),
  ].join("\n");
}

function usageOf(command: Command): string {
  return [command.name, ...command.arguments].join(" ");
}

function optionUsage(name: string, spec: OptionSpec): string {
  return spec.type === "boolean" ? `--${name}` : `--${name} ${spec.value ?? "TEXT"}${spec.multiple ? " …" : ""}`;
}
