import { expect } from "vitest";
import { moveClock } from "../../app/payments/move-clock.ts";
import { SANDBOX_URL_SETTING, sandboxSecret } from "../../compose-sandbox.ts";
import { openSandboxControl, type SandboxControl } from "../../connectors/sandbox/control.ts";
import type { Id } from "../../core/ids.ts";
import type { Database } from "../../store/db.ts";
import { findSetting } from "../../store/processes/settings.ts";
import { serviceKeyring } from "./service-keyring.ts";
import type { TestService } from "./test-service.ts";

/** The outside world of a running service, as a tester reaches it. */
export type TestSandbox = SandboxControl & {
  /** Moves a project's time on, there and here. */
  readonly passTime: (projectId: Id, seconds: number) => Promise<void>;
};

/** For what hangs: a busy machine is no fault. */
const TIMEOUT_MS = 60_000;

/** The sandbox of the worker that started last; it must still run. */
export async function openTestSandbox(db: Database, service: TestService): Promise<TestSandbox> {
  const secret = sandboxSecret(await serviceKeyring(db, service));
  const baseUrl = await findSetting(db, SANDBOX_URL_SETTING);
  if (baseUrl === undefined) throw new Error("there is no sandbox");
  const control = openSandboxControl({ baseUrl, secret, timeoutMs: TIMEOUT_MS });
  return {
    ...control,
    passTime: async (projectId, seconds) => {
      const moved = await moveClock({ db, moveSandboxClock: control.moveClock }, projectId, seconds);
      expect(moved).toMatchObject({ ok: true });
    },
  };
}

/** What arrived minus what left, by currency, by the sandbox's own books; of one project, or of all. */
export async function sandboxBooks(sandbox: SandboxControl, projectId?: Id): Promise<Record<string, bigint>> {
  const books = await sandbox.readBooks(projectId);
  if (books === undefined) throw new Error("the sandbox does not answer");
  const sums: Record<string, bigint> = {};
  for (const { currency, amount } of books.arrived) sums[currency] = (sums[currency] ?? 0n) + BigInt(amount);
  for (const { currency, amount } of books.left) sums[currency] = (sums[currency] ?? 0n) - BigInt(amount);
  return withoutZeros(sums);
}

/** The same by our ledger: what came in through the sandbox stands against its clearing account, with the sign turned. */
export async function ourBooks(db: Database, projectId?: Id): Promise<Record<string, bigint>> {
  const rows = await db.run<{ currency: string; sum: string }>({
    text: `select currency, (-sum(amount))::text as sum from entries
            where account = 'clearing:sandbox' and ($1::uuid is null or project_id = $1) group by currency`,
    values: [projectId ?? null],
  });
  return withoutZeros(Object.fromEntries(rows.map(({ currency, sum }) => [currency, BigInt(sum)])));
}

function withoutZeros(sums: Record<string, bigint>): Record<string, bigint> {
  return Object.fromEntries(
    Object.entries(sums)
      .filter(([, sum]) => sum !== 0n)
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  );
}
