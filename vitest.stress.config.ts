import { readdirSync, readFileSync } from "node:fs";
import { defineConfig, mergeConfig } from "vitest/config";
import shortForm from "./vitest.config.ts";

/** Kills, faults and crowds; and the package, installed for each version of Node. */
const STRESS_TESTS = ["test/stress/**/*.test.ts", "test/e2e/package.test.ts"];

/** How a test file says that it has a long form besides the one in `npm test` (src/testing/run/run-form.ts). */
const HAS_LONG_FORM = /\/run-form\.ts"|\bexpectAccessible(Too|InBothThemes)\b|\blook\b.*\/account-window\.ts"/;

function filesWithLongForm(): string[] {
  return ["src", "test"]
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`))
    .filter((file) => file.endsWith(".test.ts") && HAS_LONG_FORM.test(readFileSync(file, "utf8")));
}

const { include: _include, exclude: _exclude, ...test } = shortForm.test ?? {};

export default defineConfig({
  test: mergeConfig(test, {
    include: [...STRESS_TESTS, ...filesWithLongForm()],
    provide: { form: "long" },
    // One at a time: each of them keeps both cores busy by itself.
    maxWorkers: 1,
    // A group of tests that are all of the short form has none here.
    passWithNoTests: true,
  }),
});
