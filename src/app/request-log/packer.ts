import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { type PackedCalls, packCalls } from "./pack-calls.ts";
import type { PackAnswer } from "./pack-thread.ts";

/** Masks and compresses calls beside the thread that answers merchants, which has no time to spare. */
export type Packer = {
  readonly pack: (lines: Buffer, bodies: Buffer) => Promise<PackedCalls>;
  readonly close: () => Promise<void>;
};

/** It lies beside this file in the built program. Tests run the sources, which a thread cannot read: they do without. */
const THREAD = fileURLToPath(new URL("./pack-thread.js", import.meta.url));

export function openPacker(): Packer {
  if (existsSync(THREAD)) return openThread();
  return { pack: async (lines, bodies) => packCalls(lines, bodies), close: async () => undefined };
}

type Asked = { readonly resolve: (packed: PackedCalls) => void; readonly reject: (error: Error) => void };

function openThread(): Packer {
  let worker: Worker | undefined;
  let lastNumber = 0;
  const asked = new Map<number, Asked>();

  /** Rows that it had are lost; the next ones begin another thread. */
  function onEnd(ended: Worker, error: Error): void {
    if (worker !== ended) return;
    worker = undefined;
    for (const { reject } of asked.values()) reject(error);
    asked.clear();
  }

  function onAnswer(from: Worker, answer: PackAnswer): void {
    const question = asked.get(answer.number);
    asked.delete(answer.number);
    // Only work that is under way keeps the process alive.
    if (asked.size === 0) from.unref();
    if ("fault" in answer) question?.reject(new Error(`calls could not be packed: ${answer.fault}`));
    else question?.resolve({ heads: Buffer.from(answer.heads), bodies: Buffer.from(answer.bodies) });
  }

  function start(): Worker {
    const started = new Worker(THREAD, { execArgv: [] });
    started.on("message", (answer: PackAnswer) => onAnswer(started, answer));
    started.on("error", (error) => onEnd(started, error));
    started.on("exit", () => onEnd(started, new Error("the thread has ended")));
    return started;
  }

  return {
    pack: (lines, bodies) =>
      new Promise((resolve, reject) => {
        worker ??= start();
        worker.ref();
        lastNumber += 1;
        asked.set(lastNumber, { resolve, reject });
        const bytes = new Uint8Array(lines.length + bodies.length);
        bytes.set(lines);
        bytes.set(bodies, lines.length);
        worker.postMessage({ number: lastNumber, bytes, linesLength: lines.length }, [bytes.buffer]);
      }),
    close: async () => {
      await worker?.terminate();
    },
  };
}
