import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The files that take longest, longest first. One of them at the end would keep one core busy while the other waits.
 * Vitest orders files by the durations in its cache, which a fresh clone does not have.
 */
const LONG = [
  "test/e2e/start.test.ts",
  "test/browser/",
  "test/e2e/command-line.test.ts",
  "test/e2e/card-processes.test.ts",
  "test/e2e/run-time-role.test.ts",
  "test/e2e/readme.test.ts",
  "test/contract/served-payments.test.ts",
  "src/store/embedded/embedded.test.ts",
  "test/e2e/",
  "src/worker/",
];

/** The place of a file in that list; what is not in it comes last. */
function placeOf({ moduleId }: TestSpecification): number {
  const place = LONG.findIndex((part) => moduleId.includes(`/${part}`));
  return place === -1 ? LONG.length : place;
}

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => placeOf(one) - placeOf(other));
  }
}
