import { defineConfig, mergeConfig } from "vitest/config";
import { LONG_FORM_ONLY, SECOND_RUN } from "./src/testing/run/second-run.ts";
import everything from "./vitest.config.ts";

/** What `npm test` runs. `npx vitest run FILE` runs any file in its short form. */
export default defineConfig(mergeConfig(everything, { test: { exclude: [...SECOND_RUN, ...LONG_FORM_ONLY] } }));
