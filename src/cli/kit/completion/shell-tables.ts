import { beginnings, type CompletedCommand, type CompletedValue, nextWords } from "./completion-table.ts";

/**
 * The command table as functions in the part of shell language that bash and zsh share. Each sets REPLY: a list of words
 * with spaces between, `<file>` where names of files belong, or nothing.
 */
export function shellTables(commands: readonly CompletedCommand[]): string {
  return [
    functionOf(
      "_tillgate_next",
      "$1",
      beginnings(commands).map((words) => [words.join(" "), nextWords(commands, words).join(" ")]),
    ),
    functionOf(
      "_tillgate_options",
      "$1",
      commands.map(({ name, options }) => [name, options.map((option) => option.name).join(" ")]),
    ),
    functionOf(
      "_tillgate_value",
      "$1 $2",
      commands.flatMap(({ name, options }) =>
        options.flatMap(({ name: option, value }) =>
          value === undefined ? [] : [[`${name} ${option}`, replyOf(value)] as const],
        ),
      ),
    ),
    functionOf(
      "_tillgate_argument",
      "$1 $2",
      commands.flatMap(({ name, arguments: values }) =>
        values.flatMap((value, index) =>
          value.kind === "open" ? [] : [[`${name} ${index}`, replyOf(value)] as const],
        ),
      ),
    ),
    functionOf(
      "_tillgate_is_command",
      "$1",
      commands.map(({ name }) => [name, "yes"]),
    ),
  ].join("\n");
}

function replyOf(value: CompletedValue): string {
  if (value.kind === "words") return value.words.join(" ");
  return value.kind === "file" ? "<file>" : "<open>";
}

/** Rows with the same reply share a line. */
function functionOf(name: string, subject: string, rows: readonly (readonly [key: string, reply: string])[]): string {
  const byReply = new Map<string, string[]>();
  for (const [key, reply] of rows) byReply.set(reply, [...(byReply.get(reply) ?? []), `"${key}"`]);
  const cases = [...byReply].map(([reply, keys]) => `    ${keys.join("|")}) REPLY="${reply}" ;;`);
  return [`${name}() {`, `  case "${subject}" in`, ...cases, '    *) REPLY="" ;;', "  esac", "}", ""].join("\n");
}
