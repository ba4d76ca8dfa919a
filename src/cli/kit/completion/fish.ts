import { beginnings, type CompletedCommand, type CompletedValue, nextWords } from "./completion-table.ts";

/** For fish: with what each word means beside it. */
export function fishCompletion(commands: readonly CompletedCommand[]): string {
  const lines = [
    ...beginnings(commands).flatMap((before) => nextLines(commands, before)),
    ...commands.flatMap(commandLines),
  ];
  return `# Completion of tillgate for fish. To use it now: tillgate completion fish | source
# The words of the command line so far, without options.
function __tillgate_words
    set -l words (commandline -opc)
    set -e words[1]
    string match -v -- '-*' $words
end
function __tillgate_at
    set -l words (string join ' ' -- (__tillgate_words))
    test "$words" = "$argv"
end
function __tillgate_in
    set -l words (string join ' ' -- (__tillgate_words))
    string match -q -- "$argv *" "$words "
end
function __tillgate_argument
    set -l words (__tillgate_words)
    set -l name $argv[2..-1]
    test (count $words) -eq (math (count $name) + $argv[1])
    and __tillgate_in $name
end
complete -c tillgate -f
${lines.join("\n")}
`;
}

function nextLines(commands: readonly CompletedCommand[], before: readonly string[]): string[] {
  return nextWords(commands, before).map((word) => {
    const name = [...before, word].join(" ");
    const summary = commands.find((command) => command.name === name)?.summary ?? `commands of ${name}`;
    return `complete -c tillgate -n ${quoted(`__tillgate_at ${before.join(" ")}`.trim())} -a ${quoted(word)} -d ${quoted(summary)}`;
  });
}

function commandLines({ name, options, arguments: values }: CompletedCommand): string[] {
  return [
    ...options.map(
      ({ name: option, help, value }) =>
        `complete -c tillgate -n ${quoted(`__tillgate_in ${name}`)} -l ${option.slice(2)} -d ${quoted(help)}${valueWords(value)}`,
    ),
    ...values.flatMap((value, index) => {
      const place = `complete -c tillgate -n ${quoted(`__tillgate_argument ${index} ${name}`)}`;
      if (value.kind === "words") return [`${place} -a ${quoted(value.words.join(" "))}`];
      return value.kind === "file" ? [`${place} -F`] : [];
    }),
  ];
}

function valueWords(value: CompletedValue | undefined): string {
  if (value === undefined) return "";
  if (value.kind === "file") return " -r -F";
  return value.kind === "words" ? ` -x -a ${quoted(value.words.join(" "))}` : " -x";
}

/** fish reads a backslash before a quote or a backslash even inside single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
