import { type Mistake, ofScheme } from "./mistake.ts";

const LINE_FEED = "Join the four lines with one line feed (byte 0A), and put none at the end.";
const PATH_RULE = "The second line is the path alone, as the reference writes it.";

function joining(says: string, join: (lines: readonly string[]) => string): Mistake {
  return { part: "lines", says: `${says}. ${LINE_FEED}`, change: ofScheme(2, () => ({ join })) };
}

function pathAs(says: string, of: (path: string) => string): Mistake {
  return { part: "path", says: `${says}. ${PATH_RULE}`, change: ofScheme(2, ({ path }) => ({ path: of(path) })) };
}

/** Of scheme 2: method, path and how the lines are joined. */
export const LINE_MISTAKES: readonly Mistake[] = [
  joining("a message whose \\n is a backslash and an n, as single quotes leave it", (lines) => lines.join("\\n")),
  joining("a message with a line feed at its end", (lines) => `${lines.join("\n")}\n`),
  joining("a message with line ends as CR LF", (lines) => lines.join("\r\n")),
  joining("a message with nothing between its parts", (lines) => lines.join("")),
  joining("a message with spaces between its parts", (lines) => lines.join(" ")),
  joining("a message without the timestamp", ([method = "", path = "", , hash = ""]) =>
    [method, path, hash].join("\n"),
  ),
  joining("a message without the method", (lines) => lines.slice(1).join("\n")),
  joining("a message with the timestamp before the path", ([method = "", path = "", time = "", hash = ""]) =>
    [method, time, path, hash].join("\n"),
  ),
  joining("a message with the timestamp as its last line", ([method = "", path = "", time = "", hash = ""]) =>
    [method, path, hash, time].join("\n"),
  ),
  {
    part: "lines",
    says: "the method in small letters. The first line is POST, in capitals.",
    change: ofScheme(2, ({ method }) => ({ method: method.toLowerCase() })),
  },
  {
    part: "lines",
    says: "the method GET. The first line is the method that you send: POST.",
    change: ofScheme(2, () => ({ method: "GET" })),
  },
  pathAs("the path without its first slash", (path) => path.replace(/^\//, "")),
  pathAs("the path with a slash at its end", (path) => `${path}/`),
  pathAs("the path without /api/v1", (path) => path.replace(/^\/api\/v1/, "")),
  pathAs("the path without /api", (path) => path.replace(/^\/api/, "")),
];

/** The second line was something else that belongs to the request: its whole address, or the path of another call. */
export function targetMistakes(target: string | undefined, paths: readonly string[]): Mistake[] {
  const written = target ?? "";
  const afterHost = written.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "");
  const withoutScheme = written.replace(/^[a-z][a-z0-9+.-]*:\/\//i, "");
  const prefixes = prefixesCut(afterHost.replace(/[?#].*$/s, ""));
  return [
    secondLine(written, "the whole address"),
    secondLine(withoutScheme, "the address with its host"),
    secondLine(afterHost, "the path with its query"),
    ...prefixes.map((path) =>
      secondLine(path, `the path ${path}, without what stands in front of it in the address`, true),
    ),
    ...paths.map((path) => secondLine(path, `the path of another call, ${path}`)),
  ];
}

function secondLine(path: string, name: string, isRight = false): Mistake {
  const advice = isRight ? "That is right where a proxy takes the prefix off: enter this path here." : PATH_RULE;
  return {
    part: "path",
    says: `${name} as the second line. ${advice}`,
    change: ofScheme(2, (recipe) => (path === "" || path === recipe.path ? undefined : { path })),
  };
}

/** `/pay/api/v1/x` → `/api/v1/x`, `/v1/x`, `/x`. */
function prefixesCut(path: string): string[] {
  const parts = path.split("/").slice(1);
  return parts.slice(1).map((_, index) => `/${parts.slice(index + 1).join("/")}`);
}
