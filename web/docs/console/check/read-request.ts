import { shellWords } from "./shell-words.ts";

/** What could be read of a text: a curl command, an HTTP request, or headers alone. */
export type ReadRequest = {
  readonly method?: string;
  /** As it is written, with whatever host or query it has. */
  readonly target?: string;
  readonly headers: readonly Header[];
  readonly body?: string;
};

export type Header = readonly [name: string, value: string];

export function readRequest(text: string): ReadRequest {
  const trimmed = text.trimStart();
  if (/^(\$ )?curl(\.exe)?\s/.test(trimmed)) return readCurl(trimmed.replace(/^\$ /, ""));
  if (/^[A-Za-z]+ \S+ HTTP\/\d/.test(trimmed)) return readHttp(trimmed);
  if (trimmed.startsWith("{")) return { headers: readJsonHeaders(trimmed) };
  return { headers: trimmed.split(/\r?\n/).flatMap(readHeader) };
}

function readHttp(text: string): ReadRequest {
  const [, head = "", body] = /^([\s\S]*?)(?:\r?\n\r?\n([\s\S]*))?$/.exec(text) ?? [];
  const [first = "", ...lines] = head.split(/\r?\n/);
  const [method = "", target = ""] = first.split(" ");
  return { method, target, headers: lines.flatMap(readHeader), ...(body === undefined ? {} : { body }) };
}

/** `name: value`, and what logs and tools print of it: quotes around either, a comma at the end, an arrow in front. */
function readHeader(line: string): Header[] {
  const found = /^[\s><*-]*["']?([!#$%&*+.^_`|~0-9A-Za-z-]+)["']?\s*(?::|=>)\s?(.*)$/.exec(line.replace(/\r$/, ""));
  if (found === null) return [];
  const [, name = "", value = ""] = found;
  const bare = /^(["'])(.*)\1,?$/.exec(value.trim());
  return [[name.toLowerCase(), bare?.[2] ?? value]];
}

function readJsonHeaders(text: string): Header[] {
  try {
    const parsed: Readonly<Record<string, unknown>> = JSON.parse(text);
    return Object.entries(parsed).flatMap(([name, value]) =>
      [value].flat().map((each): Header => [name.toLowerCase(), String(each)]),
    );
  } catch {
    return text.split(/\r?\n/).flatMap(readHeader);
  }
}

const BODY_OPTIONS = ["-d", "--data", "--data-raw", "--data-binary", "--data-ascii", "--json"];
const OPTIONS_WITH_VALUE = ["-X", "--request", "-H", "--header", "-o", "--output", "-u", "--user", "-A", "--user-agent"]
  .concat(["-m", "--max-time", "-w", "--write-out", "--connect-timeout", "-x", "--proxy", "--cacert", "--url"])
  .concat(BODY_OPTIONS);

function readCurl(command: string): ReadRequest {
  const headers: Header[] = [];
  const bodies: string[] = [];
  let method: string | undefined;
  let target: string | undefined;
  const words = shellWords(command).slice(1);
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const { option, value, isNext } = optionOf(word, words[at + 1]);
    if (option === undefined) {
      if (!word.startsWith("-")) target ??= word;
      continue;
    }
    if (isNext) at += 1;
    if (option === "-X" || option === "--request") method = value;
    else if (option === "--url") target = value;
    else if (option === "-H" || option === "--header") headers.push(...readHeader(value));
    else if (BODY_OPTIONS.includes(option)) bodies.push(value);
  }
  return {
    headers,
    method: method ?? (bodies.length > 0 ? "POST" : "GET"),
    ...(target === undefined ? {} : { target }),
    ...(bodies.length === 0 ? {} : { body: bodies.join("&") }),
  };
}

/** `-H value`, `-Hvalue` and `--header=value`. */
function optionOf(word: string, next = ""): { option?: string; value: string; isNext: boolean } {
  if (OPTIONS_WITH_VALUE.includes(word)) return { option: word, value: next, isNext: true };
  const [, long, value] = /^(--[a-z-]+)=([\s\S]*)$/.exec(word) ?? [];
  if (long !== undefined && OPTIONS_WITH_VALUE.includes(long))
    return { option: long, value: value ?? "", isNext: false };
  const short = OPTIONS_WITH_VALUE.find((each) => each.length === 2 && word.startsWith(each));
  if (short !== undefined) return { option: short, value: word.slice(2), isNext: false };
  return { value: "", isNext: false };
}

/** The path alone: no host, no query. */
export function pathOf(target: string): string {
  return target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "").replace(/[?#].*$/s, "") || "/";
}
