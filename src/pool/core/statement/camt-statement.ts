import { SaxesParser, type SaxesTagNS } from "saxes";
import { fail, ok, type Result } from "../../../core/result.ts";
import { readCamtBalance } from "./camt-balance.ts";
import { type CamtDetail, readCamtDetail } from "./camt-detail.ts";
import { readCamtEntry } from "./camt-entry.ts";
import { namespaceFault } from "./detect-statement.ts";
import { readAccount } from "./line-texts.ts";
import type { StatementItem, StatementReader } from "./statement-item.ts";
import { addText, countParts, findText, newPart, type XmlPart } from "./xml-part.ts";

const DEPTH_MAX = 64;
/** Between two tags, and within one. */
const TOKEN_CHARS_MAX = 1_048_576;
/** Of one entry, its transactions not counted; a plain one has about 30. */
const ENTRY_PARTS_MAX = 10_000;
/** A batch of more than this is taken as one line. */
const DETAILS_MAX = 100_000;
/** The parser's events of one piece cannot be stopped, so the pieces are kept small. */
const PIECE_CHARS = 65_536;

const STATEMENT_PATH: readonly string[] = ["Document", "BkToCstmrStmt", "Stmt"];
const COLLECTED: readonly string[] = ["Acct", "Bal", "Ntry"];
const DETAILS = "NtryDtls";
const DETAIL = "TxDtls";
/** An element of another namespace, in which names mean something else. */
const FOREIGN = "(foreign)";

type State = {
  readonly path: string[];
  namespace: string | undefined;
  /** The parts that are open, the collected one first. */
  readonly open: XmlPart[];
  partCount: number;
  details: CamtDetail[] | undefined;
  account: string | undefined;
  statementCount: number;
  entryCount: number;
  items: StatementItem[];
  failure: string | undefined;
  lastEventAt: number;
};

/** Reads an ISO 20022 camt.053 statement, holding no more than one entry of it. */
export function openCamtStatement(): StatementReader {
  const state: State = {
    path: [],
    namespace: undefined,
    open: [],
    partCount: 0,
    details: [],
    account: undefined,
    statementCount: 0,
    entryCount: 0,
    items: [],
    failure: undefined,
    lastEventAt: 0,
  };
  const parser = openParser(state);
  let fedChars = 0;
  return {
    push: (chunk) => {
      if (state.failure !== undefined) return fail(state.failure);
      for (let at = 0; at < chunk.length && state.failure === undefined; at += PIECE_CHARS) {
        const piece = chunk.slice(at, at + PIECE_CHARS);
        parser.write(piece);
        // Between two writes the parser counts the last piece twice, so its own position is of no use here.
        fedChars += piece.length;
        checkToken(state, fedChars);
      }
      return ok(takeItems(state));
    },
    end: () => {
      if (state.failure === undefined) parser.close();
      if (state.failure === undefined && state.statementCount === 0)
        state.failure = "The file has no statement (Stmt).";
      return endResult(state);
    },
  };
}

function endResult(state: State): Result<readonly StatementItem[], string> {
  return state.failure === undefined ? ok(takeItems(state)) : fail(state.failure);
}

function takeItems(state: State): readonly StatementItem[] {
  const { items } = state;
  state.items = [];
  return items;
}

function openParser(state: State): SaxesParser<{ xmlns: true }> {
  const parser = new SaxesParser({ xmlns: true });
  const whileGood =
    <T>(handle: (value: T) => void) =>
    (value: T) => {
      checkToken(state, parser.position);
      state.lastEventAt = parser.position;
      if (state.failure === undefined) handle(value);
    };
  const onText = whileGood<string>((text) => {
    const part = state.open.at(-1);
    if (part !== undefined) addText(part, text);
  });
  // Six handlers and no more: with a seventh, V8 gives up on the parser object's shape and reading takes twice as long.
  parser.on(
    "opentag",
    whileGood((tag) => onOpen(state, tag)),
  );
  parser.on(
    "closetag",
    whileGood(() => onClose(state)),
  );
  parser.on("text", onText);
  parser.on("cdata", onText);
  parser.on(
    "doctype",
    whileGood(() => {
      state.failure = "The file has a DOCTYPE, which no bank statement needs; it is not read.";
    }),
  );
  // The parser's own message can repeat what stands in the file.
  parser.on(
    "error",
    whileGood(() => {
      state.failure = `The file is not well-formed XML, or it is cut off: line ${parser.line}, column ${parser.column}.`;
    }),
  );
  return parser;
}

function checkToken(state: State, position: number): void {
  if (position - state.lastEventAt <= TOKEN_CHARS_MAX) return;
  state.failure ??= `The file has a text or a tag of more than ${TOKEN_CHARS_MAX} characters.`;
}

function onOpen(state: State, tag: SaxesTagNS): void {
  if (state.namespace === undefined) {
    const fault = tag.local === "Document" ? namespaceFault(tag.uri) : "The file is XML, but not a camt.053 Document.";
    if (fault !== undefined) state.failure = fault;
    state.namespace = tag.uri;
  }
  const name = tag.uri === state.namespace ? tag.local : FOREIGN;
  const isInStatement = isStatement(state.path);
  state.path.push(name);
  if (state.path.length > DEPTH_MAX) state.failure ??= `The file is nested deeper than ${DEPTH_MAX} elements.`;
  const within = state.open.at(-1);
  if (within === undefined && isInStatement && COLLECTED.includes(name)) {
    state.partCount = 0;
    state.details = [];
    state.open.push(newPart(name, undefined));
  } else if (within !== undefined) {
    const part = newPart(name, tag.attributes.Ccy?.value);
    within.children.push(part);
    state.open.push(part);
    state.partCount += 1;
    if (state.partCount > ENTRY_PARTS_MAX) state.failure ??= `Entry ${state.entryCount + 1} has too many parts.`;
  } else if (isStatement(state.path)) {
    state.statementCount += 1;
    state.account = undefined;
  }
}

function isStatement(path: readonly string[]): boolean {
  return path.length === STATEMENT_PATH.length && STATEMENT_PATH.every((name, depth) => path[depth] === name);
}

function onClose(state: State): void {
  state.path.pop();
  const part = state.open.pop();
  const [collected, second] = state.open;
  if (part === undefined) return;
  if (collected === undefined) {
    for (const item of finish(state, part)) state.items.push(item);
  } else if (second?.name === DETAILS && state.open.length === 2 && part.name === DETAIL && collected.name === "Ntry") {
    keepDetail(state, part, collected);
    forget(state, second, part);
  } else if (state.open.length === 1 && part.name === DETAILS) forget(state, collected, part);
}

/** What has been read of a batch is let go, so that a batch of any length needs no more memory than one transaction. */
function forget(state: State, parent: XmlPart, part: XmlPart): void {
  parent.children.pop();
  state.partCount -= countParts(part);
}

function keepDetail(state: State, detail: XmlPart, entry: XmlPart): void {
  if (state.details !== undefined && state.details.length >= DETAILS_MAX) state.details = undefined;
  state.details?.push(readCamtDetail(detail, entry));
}

function finish(state: State, part: XmlPart): readonly StatementItem[] {
  if (part.name === "Acct") {
    const written = findText(part, "Id", "IBAN") ?? findText(part, "Id", "Othr", "Id");
    const account = readAccount(written ?? "");
    state.account = account.ok ? account.value : undefined;
    return [];
  }
  if (part.name === "Bal") return readCamtBalance(part, state.account, state.entryCount);
  state.entryCount += 1;
  const { details, account, entryCount } = state;
  return readCamtEntry({ number: entryCount, account, part, details });
}
