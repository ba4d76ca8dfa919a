#!/usr/bin/env node
// In a clone, sources may be newer than what was built: prepare looks, and does nothing when all is current.
import { existsSync } from "node:fs";

const inClone = existsSync(new URL("../src/main.ts", import.meta.url));
if (inClone) {
  const { prepare } = await import("../tools/prepare.mjs");
  prepare();
}
const { main } = await import("../dist/main.js");
process.exitCode = await main(process.argv.slice(2), inClone ? "./tillgate" : "tillgate");
