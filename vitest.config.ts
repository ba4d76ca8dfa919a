import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "sdk/test/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["src/testing/global-setup.ts"],
    // Where continuous integration runs, nothing may be skipped.
    provide: { isContinuousIntegration: process.env.CI === "true" },
    pool: "forks",
    // Many tests wait more than they work: with three at once, two cores are busy, and all of it takes eight minutes.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
