import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { headsToCalls } from "../../core/request-log/logged-call.ts";
import { installedFile } from "../../platform/installed-files.ts";
import { anAnsweredCall } from "../../testing/builders/logged-calls.ts";
import { unpackText } from "./pack.ts";
import { packCalls } from "./pack-calls.ts";
import type { Packer } from "./packer.ts";
import { addCall, newPendingChunk } from "./pending-chunk.ts";

/** As built, where it has a thread: from the sources there is none. */
const BUILT = installedFile("dist/app/request-log/packer.js");

async function openBuiltPacker(): Promise<Packer> {
  const { openPacker } = (await import(pathToFileURL(BUILT).href)) as typeof import("./packer.ts");
  return openPacker();
}

function someCalls(count: number) {
  const calls = Array.from({ length: count }, (_, number) => anAnsweredCall({ atMs: number + 1 }));
  const chunk = newPendingChunk(calls[0]?.id ?? anAnsweredCall().id);
  for (const call of calls) addCall(chunk, call);
  return {
    ids: calls.map(({ id }) => id),
    lines: Buffer.from(chunk.lines.subarray(0, chunk.linesLength)),
    bodies: Buffer.from(chunk.bodies.subarray(0, chunk.bodiesLength)),
  };
}

it("packs in a thread of its own what it would pack here, goes on after a fault, and quotes nothing in it", async () => {
  expect(existsSync(BUILT.replace("packer.js", "pack-thread.js"))).toBe(true);
  const packer = await openBuiltPacker();
  const { ids, lines, bodies } = someCalls(50);
  const secret = Buffer.from(`["4242424242424242`);
  const [first, fault, second] = await Promise.allSettled([
    packer.pack(lines, bodies),
    packer.pack(secret, bodies),
    packer.pack(lines, bodies),
  ]);
  const here = packCalls(lines, bodies);
  expect(first).toEqual({ status: "fulfilled", value: here });
  expect(second).toEqual(first);
  expect(headsToCalls(unpackText(here.heads)).map(({ id }) => id)).toEqual(ids);
  expect(fault).toEqual({ status: "rejected", reason: new Error("calls could not be packed: SyntaxError") });
  await packer.close();
});

it("begins another thread where the one before was ended", async () => {
  const packer = await openBuiltPacker();
  const { lines, bodies } = someCalls(1);
  const lost = packer.pack(lines, bodies).catch((error: Error) => error.message);
  await packer.close();
  expect(["the thread has ended", packCalls(lines, bodies)]).toContainEqual(await lost);
  expect(await packer.pack(lines, bodies)).toEqual(packCalls(lines, bodies));
  await packer.close();
});
