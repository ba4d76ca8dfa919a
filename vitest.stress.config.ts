import { defineConfig, mergeConfig } from "vitest/config";
import shortForm from "./vitest.config.ts";

const { include: _include, exclude: _exclude, ...test } = shortForm.test ?? {};

/** Kills, faults and crowds; and the package, installed for each version of Node. The other long forms: vitest.long.config.ts. */
export default defineConfig({
  test: mergeConfig(test, {
    include: ["test/stress/**/*.test.ts", "test/e2e/upstream-{kill,faults}.test.ts", "test/e2e/package.test.ts"],
    provide: { form: "long" },
    // One at a time: each of them keeps both cores busy by itself.
    maxWorkers: 1,
    passWithNoTests: true,
  }),
});
