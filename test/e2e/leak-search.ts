import pg from "pg";
import { unpackText } from "../../src/app/request-log/pack.ts";
import { findId } from "../../src/core/ids.ts";
import type { Keyring } from "../../src/platform/secrets.ts";

/** What may be found nowhere: texts even as a part of something, codes only as a whole value, since they are short. */
export type Secrets = { readonly texts: readonly string[]; readonly codes: readonly string[] };

/** Something that is kept or was said, and where. */
export type Place = { readonly where: string; readonly text: string };

/** Every row of every table, views and the server's own tables aside. */
export async function dumpDatabase(url: string): Promise<Place[]> {
  return (await readRows(url)).map(({ schema, table, row }) => ({ where: `${schema}.${table}`, text: row }));
}

/**
 * Every sealed value of every table, opened. A value that does not open in its own place is a place too, with words that say
 * so: a search that skipped it would prove nothing.
 */
export async function openSealedValues(url: string, keyring: Keyring): Promise<Place[]> {
  const rows = await readRows(url);
  const keys = rows.filter(({ table }) => table === "data_keys").map(({ row }) => idOf(membersOf(row).id));
  return rows.flatMap(({ table, row }) => {
    const members = membersOf(row);
    const ids = Object.values(members).map(idOf);
    return Object.entries(members)
      .filter(([, value]) => keys.some((key) => String(value).startsWith(`\\x${SEAL_VERSION}${key}`)))
      .map(([column, value]) => {
        const sealed = Buffer.from(String(value).slice(2), "hex");
        const opened = ids.flatMap((id) => tryToOpen(keyring, { table, column, row: id }, sealed));
        return { where: `${table}.${column}`, text: opened[0] ?? NOT_OPENED };
      });
  });
}

export const NOT_OPENED = "a sealed value that does not open in its row";
/** The byte that sealed values begin with, before the id of their key. */
const SEAL_VERSION = "01";

function tryToOpen(keyring: Keyring, place: Parameters<Keyring["unseal"]>[0], sealed: Buffer): string[] {
  try {
    return [keyring.unseal(place, sealed).reveal().toString("utf8")];
  } catch {
    return [];
  }
}

function membersOf(row: string): Record<string, unknown> {
  return JSON.parse(row) as Record<string, unknown>;
}

/** As places name their rows: a UUID without its hyphens, anything else as it is. */
function idOf(value: unknown): string {
  const text = String(value);
  return findId(text.replaceAll("-", "")) ?? text;
}

type StoredRow = { readonly schema: string; readonly table: string; readonly row: string };

async function readRows(url: string): Promise<StoredRow[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const tables = await client.query<{ schema: string; table: string }>(
      `select schemaname as schema, tablename as table from pg_tables
        where schemaname not in ('pg_catalog', 'information_schema') order by 1, 2`,
    );
    const stored: StoredRow[] = [];
    for (const { schema, table } of tables.rows) {
      const rows = await client.query<{ row: string }>(`select to_jsonb(t)::text as row from "${schema}"."${table}" t`);
      stored.push(...rows.rows.map(({ row }) => ({ schema, table, row })));
    }
    return stored;
  } finally {
    await client.end();
  }
}

/** Where the secrets are, in words that do not repeat them. */
export function findLeaks(places: readonly Place[], secrets: Secrets): string[] {
  return [...new Set(places.flatMap(({ where, text }) => leaksIn(where, text, secrets)))];
}

function leaksIn(where: string, text: string, { texts, codes }: Secrets): string[] {
  return [...valuesIn(text, where)].flatMap(({ path, value }) => {
    const held = texts.flatMap((secret, at) => (value.includes(secret) ? [`text ${at} in ${path}`] : []));
    const equal = codes.flatMap((code, at) => (value.trim() === code ? [`code ${at} in ${path}`] : []));
    return [...held, ...equal];
  });
}

type Value = { readonly path: string; readonly value: string };

/** Durations can be any number, and say nothing. */
const MEASURED = new Set(["ms", "latency_ms", "uptime"]);
const DEPTH_MAX = 6;

/** The text, and whatever can be read out of it: members of JSON, fields of a form, bytes in hex or base64, a page. */
function* valuesIn(text: string, path: string, depth = 0): Generator<Value> {
  yield { path, value: text };
  if (depth === DEPTH_MAX) return;
  for (const [name, inner] of readingsOf(text)) {
    if (inner !== text) yield* valuesIn(inner, `${path} ${name}`, depth + 1);
  }
}

function* readingsOf(text: string): Generator<[name: string, inner: string]> {
  yield* jsonValues(text);
  if (/^\\x[0-9a-f]+$/.test(text)) yield* bytesRead(Buffer.from(text.slice(2), "hex"));
  else if (/^(?:[0-9a-f]{2}){8,}$/i.test(text)) yield ["hex", Buffer.from(text, "hex").toString("utf8")];
  if (/^[A-Za-z0-9+/_-]{12,}=*$/.test(text)) yield ["base64", Buffer.from(text, "base64").toString("utf8")];
  if (/^[^\s<{]+=/.test(text)) for (const [name, value] of new URLSearchParams(text)) yield [name, value];
  if (/^\s*<!doctype html/i.test(text)) {
    for (const [, attribute = "", words = ""] of text.matchAll(/="([^"]*)"|>([^<]+)/g))
      yield ["page", attribute || words];
  }
}

/** As they are; and as the request log packs them, where its bodies follow each other without a mark. */
function* bytesRead(bytes: Buffer): Generator<[name: string, inner: string]> {
  yield ["bytes", bytes.toString("utf8")];
  const unpacked = tryToUnpack(bytes);
  if (unpacked === undefined) return;
  yield ["unpacked", unpacked];
  for (const part of unpacked.split(/(?<=[}\].])(?=\{)/)) yield ["unpacked", part];
}

function tryToUnpack(bytes: Buffer): string | undefined {
  try {
    return unpackText(bytes);
  } catch {
    return undefined;
  }
}

function* jsonValues(text: string): Generator<[name: string, inner: string]> {
  const parsed = parseJson(text);
  if (typeof parsed !== "object" || parsed === null) return;
  for (const [name, value] of Object.entries(parsed)) {
    if (typeof value === "number" && MEASURED.has(name)) continue;
    yield [name, typeof value === "string" ? value : JSON.stringify(value)];
    yield ["a name", name];
  }
}

function parseJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
