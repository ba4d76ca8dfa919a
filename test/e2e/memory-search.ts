import { closeSync, existsSync, fstatSync, openSync, readdirSync, readFileSync, readSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, vi } from "vitest";

/** What a running process has in its memory: every byte of it, and what its garbage collector still holds. */

const CHUNK_BYTES = 8 * 1024 * 1024;
const WAIT = { timeout: 60_000, interval: 50 };

/** Other systems show no process's memory to its parent. */
export function canReadMemory(): boolean {
  return existsSync("/proc/self/mem");
}

/** A text as one byte for each character, and as two: V8 and buffers hold it in either form. */
function formsOf(text: string): Buffer[] {
  return [Buffer.from(text, "latin1"), Buffer.from(text, "utf16le")];
}

type Region = { readonly from: number; readonly to: number };

/** The parts of its address space that it can write to: its heap, stacks and buffers. */
function listRegions(pid: number): Region[] {
  return readFileSync(`/proc/${pid}/maps`, "utf8")
    .split("\n")
    .flatMap((line) => {
      const [, from = "", to = "", rights = ""] = /^([0-9a-f]+)-([0-9a-f]+) (\S+)/.exec(line) ?? [];
      return rights.startsWith("rw") ? [{ from: Number.parseInt(from, 16), to: Number.parseInt(to, 16) }] : [];
    });
}

/** How often each text stands in the raw memory of a process, by the text's place in the list. */
export function countInMemory(pid: number, texts: readonly string[]): number[] {
  const wanted = texts.map(formsOf);
  const longest = Math.max(...wanted.flat().map(({ length }) => length));
  const counts = texts.map(() => 0);
  const file = openSync(`/proc/${pid}/mem`, "r");
  const buffer = Buffer.alloc(CHUNK_BYTES + longest);
  try {
    for (const { from, to } of listRegions(pid)) {
      for (let at = from; at < to; at += CHUNK_BYTES) {
        // A little of the next chunk too, for a text that lies across the border.
        const length = readAt(file, buffer, at, Math.min(CHUNK_BYTES + longest - 1, to - at));
        const bytes = buffer.subarray(0, length);
        wanted.forEach((forms, place) => {
          for (const form of forms) counts[place] = (counts[place] ?? 0) + countIn(bytes, form, CHUNK_BYTES);
        });
      }
    }
  } finally {
    closeSync(file);
  }
  return counts;
}

/** A page that was given back meanwhile cannot be read: then nothing stands there. */
function readAt(file: number, buffer: Buffer, position: number, length: number): number {
  try {
    return readSync(file, buffer, 0, length, position);
  } catch {
    return 0;
  }
}

/** Those that begin before `limit`: the rest begin the next chunk. */
function countIn(bytes: Buffer, form: Buffer, limit: number): number {
  let count = 0;
  for (let at = bytes.indexOf(form); at !== -1 && at < limit; at = bytes.indexOf(form, at + 1)) count += 1;
  return count;
}

/** What a program is started with so that `readHeap` can ask it. */
export function heapOptions(directory: string): string {
  return `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${directory}`;
}

/** Every string that lives in the heap of a process after a full collection. */
export async function readHeap(pid: number, directory: string): Promise<readonly string[]> {
  const before = new Set(readdirSync(directory));
  process.kill(pid, "SIGUSR2");
  const path = await vi.waitFor(() => {
    const [made] = readdirSync(directory).filter((name) => name.endsWith(".heapsnapshot") && !before.has(name));
    expect(made).toBeDefined();
    return join(directory, made ?? "");
  }, WAIT);
  // It is written piece by piece: while it is not whole it does not end so.
  await vi.waitFor(() => expect(readEnd(path).trimEnd().endsWith("]}")).toBe(true), WAIT);
  const { strings } = JSON.parse(readFileSync(path, "utf8")) as { readonly strings: readonly string[] };
  rmSync(path);
  return strings;
}

const END_BYTES = 16;

function readEnd(path: string): string {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const end = Buffer.alloc(Math.min(size, END_BYTES));
    readSync(file, end, 0, end.length, size - end.length);
    return end.toString("latin1");
  } finally {
    closeSync(file);
  }
}
