/** The words of a command as a POSIX shell reads them: quotes, backslashes, `$'…'` and lines that go on. */
export function shellWords(command: string): string[] {
  const words: string[] = [];
  const rest = command.replace(/\\\r?\n/g, " ");
  for (let at = 0; at < rest.length; ) {
    if (/\s/.test(rest[at] ?? "")) {
      at += 1;
      continue;
    }
    let word = "";
    while (at < rest.length && !/\s/.test(rest[at] ?? "")) {
      const piece = pieceAt(rest, at);
      word += piece.text;
      at = piece.end;
    }
    words.push(word);
  }
  return words;
}

type Piece = { readonly text: string; readonly end: number };

function pieceAt(text: string, at: number): Piece {
  if (text.startsWith("$'", at)) return untilQuote(text, at + 2, "'", C_ESCAPES);
  if (text[at] === "'") return untilQuote(text, at + 1, "'", undefined);
  if (text[at] === '"') return untilQuote(text, at + 1, '"', DOUBLE_QUOTE_ESCAPES);
  if (text[at] === "\\") return { text: text[at + 1] ?? "", end: at + 2 };
  return { text: text[at] ?? "", end: at + 1 };
}

type Escapes = Readonly<Record<string, string>>;
const C_ESCAPES: Escapes = { n: "\n", r: "\r", t: "\t", "'": "'", '"': '"', "\\": "\\" };
const DOUBLE_QUOTE_ESCAPES: Escapes = { '"': '"', "\\": "\\", $: "$", "`": "`" };

function untilQuote(text: string, from: number, quote: string, escapes: Escapes | undefined): Piece {
  let found = "";
  for (let at = from; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if (character === quote) return { text: found, end: at + 1 };
    const meant = character === "\\" ? escapes?.[text[at + 1] ?? ""] : undefined;
    if (meant === undefined) found += character;
    else {
      found += meant;
      at += 1;
    }
  }
  return { text: found, end: text.length };
}
