import crypto, { type ScryptOptions } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

/**
 * A hash of a password takes a third of a second of processor time, which is its purpose, and a sign-in with an old hash
 * takes two. In the process of a test a hash of the product's cost is made at a thousandth of it: what is stored names the
 * cost as always. The program, which tests start as a process, pays in full, and so does a file that asks for it.
 */
const DEAR_N = 2 ** 15;
const CHEAP_N = 2 ** 5;

type Derive = (
  password: crypto.BinaryLike,
  salt: crypto.BinaryLike,
  bytes: number,
  options: ScryptOptions,
  done: (error: Error | null, key: Buffer) => void,
) => void;

const KEPT = Symbol.for("tillgate.test.passwords");
const kept = globalThis as { [KEPT]?: { cheap: boolean } };
if (kept[KEPT] === undefined) kept[KEPT] = makeCheap();
// Vitest runs this file before each test file: what the last one asked for ended with it.
kept[KEPT].cheap = true;

function makeCheap(): { cheap: boolean } {
  const state = { cheap: true };
  const derive: Derive = crypto.scrypt;
  const cheaply: Derive = (password, salt, bytes, options, done) =>
    derive(password, salt, bytes, state.cheap && options.N === DEAR_N ? { ...options, N: CHEAP_N } : options, done);
  Object.assign(crypto, { scrypt: cheaply });
  syncBuiltinESMExports();
  return state;
}

/** For a test of the cost itself: the rest of its file pays in full. */
export function payInFull(): void {
  if (kept[KEPT] !== undefined) kept[KEPT].cheap = false;
}
