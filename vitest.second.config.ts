import { defineConfig, mergeConfig } from "vitest/config";
import { SECOND_RUN } from "./src/testing/run/second-run.ts";
import everything from "./vitest.config.ts";

const { include: _include, ...test } = everything.test ?? {};

/** What `npm test` leaves to `npm run test:stress`, in its short form. The long forms: vitest.long.config.ts. */
export default defineConfig({ test: mergeConfig(test, { include: [...SECOND_RUN] }) });
