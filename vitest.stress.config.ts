import { defineConfig, mergeConfig } from "vitest/config";
import shortForm from "./vitest.config.ts";

/** Kills, faults and crowds; the package, installed for each version of Node; and tests with a short form, which are in `npm test` too. */
const STRESS_TESTS = [
  "test/stress/**/*.test.ts",
  "test/e2e/examples.test.ts",
  "test/e2e/package.test.ts",
  "test/e2e/developer-commands.test.ts",
  "test/e2e/quick-start.test.ts",
  "test/e2e/second-chance-walks.test.ts",
  "test/e2e/single-bit-changes.test.ts",
  "src/app/payout-batches/make-batches.test.ts",
  "src/app/providers/reconcile-crowd.test.ts",
  "src/app/people/guesses.test.ts",
  "src/app/reports/list-payments.test.ts",
  "src/app/reports/read-statement.test.ts",
  "src/app/request-log/list-calls.test.ts",
  "src/pool/app/no-cross-credit.test.ts",
  "src/pool/app/reverse-all.test.ts",
  "src/pool/app/import-statement.test.ts",
  "test/browser/challenge.test.ts",
  "test/browser/docs-site.test.ts",
  "test/browser/desk.test.ts",
  "test/browser/pay-accessible.test.ts",
  "test/browser/pay-again.test.ts",
  "test/browser/pay-card.test.ts",
  "test/browser/pay-embed.test.ts",
  "test/browser/pay-form.test.ts",
  "test/browser/pay-languages.test.ts",
  "test/browser/pay-page.test.ts",
  "test/browser/pay-transfer.test.ts",
  "test/browser/pay-trust.test.ts",
  "test/contract/samples.test.ts",
];

const { include: _include, exclude: _exclude, ...test } = shortForm.test ?? {};

export default defineConfig({
  test: mergeConfig(test, {
    include: STRESS_TESTS,
    provide: { form: "long" },
    // One at a time: each of them keeps both cores busy by itself.
    maxWorkers: 1,
  }),
});
