// Loaded into the service by --import: on SIGUSR2 it collects all garbage, and writes what is left to a file.
import { renameSync, writeFileSync } from "node:fs";
import { heapFile } from "../kit/heap.mjs";

process.on("SIGUSR2", () => {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  const path = heapFile(process.pid);
  writeFileSync(`${path}.new`, String(heapUsed + external));
  renameSync(`${path}.new`, path);
});
