import crypto, { type KeyPairKeyObjectResult } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { promisify } from "node:util";

/**
 * A pair of RSA keys takes 0.1 to 0.2 s of processor time, and each service makes two of them when it starts. The files
 * that a worker runs share its pairs: no file gets the same pair twice, and each file has a database of its own.
 * The program, which tests start as a process, makes its own.
 */
type Shared = { readonly pairs: KeyPairKeyObjectResult[]; drawn: number };

const KEPT = Symbol.for("tillgate.test.rsa-keys");
const BITS = 2048;

const kept = globalThis as { [KEPT]?: Shared };
// Vitest runs this file before each test file: the next one may draw them all again.
if (kept[KEPT] === undefined) kept[KEPT] = share();
kept[KEPT].drawn = 0;

function share(): Shared {
  const shared: Shared = { pairs: [], drawn: 0 };
  const { generateKeyPair, generateKeyPairSync } = crypto;
  const make = promisify(generateKeyPair);

  /** Undefined: this file has drawn all there are. */
  function draw(): KeyPairKeyObjectResult | undefined {
    const pair = shared.pairs[shared.drawn];
    if (pair !== undefined) shared.drawn += 1;
    return pair;
  }

  function keep(pair: KeyPairKeyObjectResult): KeyPairKeyObjectResult {
    // Others that were made meanwhile by the same file may stand behind this one: none of them is drawn again by it.
    shared.pairs.push(pair);
    shared.drawn = shared.pairs.length;
    return pair;
  }

  const drawOrMake = async (type: "rsa", options: { modulusLength: number }) =>
    isShared(type, options) ? (draw() ?? keep(await make(type, options))) : make(type, options);
  const drawOrMakeNow = (type: "rsa", options: { modulusLength: number }) =>
    isShared(type, options) ? (draw() ?? keep(generateKeyPairSync(type, options))) : generateKeyPairSync(type, options);

  const withCallback = (...given: Parameters<typeof generateKeyPair>) => generateKeyPair(...given);
  Object.defineProperty(withCallback, promisify.custom, { value: drawOrMake });
  Object.assign(crypto, { generateKeyPair: withCallback, generateKeyPairSync: drawOrMakeNow });
  syncBuiltinESMExports();
  return shared;
}

/** A plain pair; one in another form, or of another kind, is made as it is asked for. */
function isShared(type: string, options: { readonly modulusLength?: number }): boolean {
  return type === "rsa" && options.modulusLength === BITS && Object.keys(options).length === 1;
}
