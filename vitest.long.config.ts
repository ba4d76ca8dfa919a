import { readdirSync, readFileSync } from "node:fs";
import { defineConfig, mergeConfig } from "vitest/config";
import { NOT_ALONE } from "./src/testing/run/second-run.ts";
import shortForm from "./vitest.config.ts";

/** How a test file says that it has a long form besides the one in `npm test` (src/testing/run/run-form.ts). */
const HAS_LONG_FORM = /\/run-form\.ts"|\bexpectAccessible(Too|InBothThemes)\b|\blook\b.*\/account-window\.ts"/;

/** Those that try to keep both cores busy, or kill what others run on, have a run of their own: vitest.stress.config.ts. */
const ALONE = /^test\/(stress\/|e2e\/upstream-(kill|faults)\.)/;

function filesWithLongForm(): string[] {
  return ["src", "test"]
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`))
    .filter((file) => file.endsWith(".test.ts") && !ALONE.test(file) && HAS_LONG_FORM.test(readFileSync(file, "utf8")));
}

const { include: _include, exclude: _exclude, ...test } = shortForm.test ?? {};

/** The long forms of what `npm test` tries in short. They wait more than they work, as the short ones do. */
export default defineConfig({
  test: mergeConfig(test, {
    include: [...filesWithLongForm(), ...NOT_ALONE],
    provide: { form: "long" },
    // A group of tests that are all of the short form has none here.
    passWithNoTests: true,
    maxWorkers: 4,
  }),
});
