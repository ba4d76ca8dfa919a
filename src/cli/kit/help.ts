import type { Command, OptionSpec } from "./command.ts";

export function programHelp(programName: string, commands: readonly Command[]): string {
  const names = commands.map(usageOf);
  const width = Math.max(...names.map((name) => name.length));
  const lines = commands.map((command, index) => `  ${(names[index] ?? "").padEnd(width)}  ${command.summary}`);
  return [
    `Usage: ${programName} COMMAND [options]`,
    "",
    ...lines,
    "",
    `${programName} COMMAND --help tells more.`,
  ].join("\n");
}

export function commandHelp(programName: string, command: Command): string {
  const options = Object.entries(command.options).map(([name, spec]) => [optionUsage(name, spec), spec.help] as const);
  const width = Math.max(0, ...options.map(([usage]) => usage.length));
  return [
    `Usage: ${programName} ${usageOf(command)}${options.length > 0 ? " [options]" : ""}`,
    "",
    command.summary,
    ...(options.length > 0 ? ["", ...options.map(([usage, help]) => `  ${usage.padEnd(width)}  ${help}`)] : []),
    ...(command.notes === undefined
      ? []
      : ["", ...command.notes.map((note) => note.replace("{program}", programName))]),
  ].join("\n");
}

function usageOf(command: Command): string {
  return [command.name, ...command.arguments].join(" ");
}

function optionUsage(name: string, spec: OptionSpec): string {
  return spec.type === "boolean" ? `--${name}` : `--${name} ${spec.value ?? "TEXT"}${spec.multiple ? " …" : ""}`;
}
