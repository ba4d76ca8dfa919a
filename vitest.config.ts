import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "sdk/test/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["src/testing/global-setup.ts"],
    // Where continuous integration runs, nothing may be skipped.
    provide: { isContinuousIntegration: process.env.CI === "true" },
    pool: "forks",
    // Two cores: more processes than that only make each other wait.
    maxWorkers: 2,
    testTimeout: 30_000,
    // Many tests run whole services, browsers and kills on two shared cores: there a failure must repeat itself twice to count.
    retry: process.env.CI === "true" ? 2 : 0,
    hookTimeout: 60_000,
  },
});
