#!/usr/bin/env node
// In a clone, sources may be newer than what was built: prepare looks, and does nothing when all is current.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const inClone = existsSync(new URL("../src/main.ts", import.meta.url));
if (inClone) {
  const { prepare } = await import("../tools/prepare.mjs");
  prepare();
}
const { main } = await import("../dist/program/main.js");
// In a clone the data lies beside the sources, from wherever it is called; else where the person stands.
const baseDir = inClone ? fileURLToPath(new URL("..", import.meta.url)) : process.cwd();
process.exitCode = await main(process.argv.slice(2), inClone ? "./tillgate" : "tillgate", baseDir);
