import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";

/** A client that shares no code with the service: a shell script with openssl and curl. */
const SCRIPT = fileURLToPath(new URL("../../examples/call.sh", import.meta.url));

function isThere(program: string): boolean {
  try {
    execFileSync(program, ["version"], { stdio: "ignore" });
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ENOENT");
  }
}

const missing = ["openssl", "curl"].filter((program) => !isThere(program));
if (missing.length > 0) {
  process.stderr.write(
    `\nSKIPPED: the tests of examples/call.sh need ${missing.join(" and ")}, which this machine lacks.\n\n`,
  );
}

describe.skipIf(missing.length > 0)("examples/call.sh", () => {
  const service = useTestService(useTestDatabase());

  it.each(["RSA-SHA256", "HMAC-SHA512", "RSA-SHA256-V2", "HMAC-SHA512-V2"])(
    "is answered with %s",
    async (algorithm) => {
      const directory = mkdtempSync(join(tmpdir(), "tillgate-openssl-"));
      const SANDBOX_FILE = join(directory, "sandbox.json");
      writeFileSync(SANDBOX_FILE, JSON.stringify(service.sandbox(), null, 2), { mode: 0o600 });
      const env = { PATH: process.env.PATH, SANDBOX_FILE };
      const { stdout } = await promisify(execFile)("sh", [SCRIPT, algorithm], { env });
      expect(JSON.parse(stdout).balance).toHaveLength(8);
      const banks = await promisify(execFile)("sh", [SCRIPT, algorithm, "/api/v1/bank/all"], { env });
      expect(JSON.parse(banks.stdout)).toHaveLength(102);
      rmSync(directory, { recursive: true });
    },
  );
});
