import { defineConfig, mergeConfig } from "vitest/config";
import { NOT_ALONE } from "./src/testing/run/second-run.ts";
import shortForm from "./vitest.config.ts";

const { include: _include, exclude: _exclude, ...test } = shortForm.test ?? {};

/** Kills, faults and crowds. The other long forms: vitest.long.config.ts. */
export default defineConfig({
  test: mergeConfig(test, {
    include: ["test/stress/**/*.test.ts", "test/e2e/upstream-{kill,faults}.test.ts"],
    exclude: [...NOT_ALONE],
    provide: {
      form: "long",
      // How many payments the upgrade test has: TILLGATE_TEST_PAYMENTS=1000000 takes half a minute longer.
      upgradePayments: Number(process.env.TILLGATE_TEST_PAYMENTS ?? 100_000),
    },
    // One at a time: each of them keeps both cores busy by itself.
    maxWorkers: 1,
    passWithNoTests: true,
  }),
});
