import { defineConfig } from "vitest/config";
import { LongFirst } from "./src/testing/run/long-first.ts";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "sdk/test/**/*.test.ts", "test/**/*.test.ts", "examples/connector/*.test.ts"],
    // By `npm run test:stress`: see its own configuration.
    exclude: ["test/stress/**", "test/e2e/package.test.ts"],
    globalSetup: ["src/testing/run/global-setup.ts"],
    setupFiles: ["src/testing/run/shared-rsa-keys.ts", "src/testing/run/cheap-passwords.ts"],
    provide: {
      // Where continuous integration runs, nothing may be skipped.
      isContinuousIntegration: process.env.CI === "true",
      // The program to test pages with, instead of the first that is found.
      browser: process.env.TILLGATE_TEST_BROWSER ?? "",
      // Property tests run with small numbers here, and with large ones by vitest.long.config.ts.
      form: "short",
    },
    pool: "forks",
    // The files that a worker runs share its modules: 18 of them take 53 seconds of processor time instead of 65.
    isolate: false,
    // What TypeScript becomes is kept between runs, by the content of each file: one file of tests takes 7 seconds of processor
    // time instead of 10. After a change of tsconfig.json: npx vitest --clearCache.
    experimental: { fsModuleCache: true },
    // Many tests wait more than they work: on two cores four at once took 9:00 and 9:24 minutes, five took 7:02 and 8:10.
    maxWorkers: 5,
    // Limits are for what hangs. A machine with a load of 8 is slow, and that is no fault.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
    sequence: { sequencer: LongFirst },
    // What a file changed in the environment or in an object ends with the test, and does not reach the next file.
    unstubEnvs: true,
  },
});
