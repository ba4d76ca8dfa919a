import { expect, it, vi } from "vitest";
import { addProvider } from "../../app/providers/manage-providers.ts";
import { readProviderBalances } from "../../app/providers/read-books.ts";
import { openProviderOfCommand } from "../../compose-providers.ts";
import { listProviderBalances } from "../../store/providers/provider-balances.ts";
import { RUB } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { openCommandLine, outcomesOf } from "../../testing/program/command-line.ts";
import { useUpstreamGateway } from "../../testing/rigs/upstream-gateway.ts";
import { useWorkerRig } from "../../testing/rigs/worker-rig.ts";
import { useTestService } from "../../testing/service/test-service.ts";

/** The books of a whole service as the gateway, read by the commands of another installation. */
const theirs = useTestDatabase();
const service = useTestService(theirs);
const gateway = useUpstreamGateway(theirs, service);
const database = useTestDatabase();
const { db } = database;
const rig = useWorkerRig(database);
const { keyring, log } = rig.deps;

const CODE = "alpha";
const WAIT = { timeout: 60_000, interval: 50 };
const open = async () => {
  const connector = await openProviderOfCommand({ config: { mode: "development" }, db, keyring, log }, CODE);
  return connector ?? expect.unreachable("it is configured");
};
const { print, json } = outcomesOf(openCommandLine(db, undefined, { openConnector: open }));

async function configure(): Promise<void> {
  const { credentials, projectId } = gateway.client();
  if (credentials.kind !== "hmac") throw new Error("the client of a test has an HMAC key");
  const material = { kind: "hmac", token: credentials.keyId, secret: Buffer.from(credentials.secret) } as const;
  const settings = { merchantId: credentials.merchantId, projectId };
  const added = await addProvider(
    { db, keyring },
    {
      ...{ code: CODE, kind: "upstream", book: "live", baseUrl: gateway.proxy().url, settings },
      keys: [{ purpose: "call", material }],
    },
  );
  expect(added).toMatchObject({ ok: true });
}

it("banks of one seed are matched one to one; the gateway's books agree with ours, and its balance with the ledger", async () => {
  await configure();
  const banks = await json("provider", "banks", "refresh", CODE);
  expect(banks).toMatchObject({ ambiguous: [], unmatched_ours: [], unmatched_theirs: [] });
  expect(banks.pairs.length).toBeGreaterThan(80);
  expect(new Set(banks.pairs.map(({ source }: { source: string }) => source))).toEqual(new Set(["code", "name"]));
  for (const { ours, theirs: theirSymbol } of banks.pairs) expect(theirSymbol).toBe(ours);

  // What a command opens only reads; this one also sends.
  const connector = gateway.connect({ code: CODE });
  const read = () => readProviderBalances({ db, log }, CODE, connector.books);
  const balanceOf = async () => {
    expect(await read()).toBe(true);
    const rows = await listProviderBalances(db);
    const { amount = 0n, lockedAmount = 0n } = rows.find(({ currency }) => currency === RUB) ?? {};
    return amount + lockedAmount;
  };
  const before = await balanceOf();
  const keys = [await rig.aPayout([connector]), await rig.aPayout([connector], { amount: 7_000 })];
  await vi.waitFor(async () => {
    for (const key of keys) expect(await rig.look(key)).toMatchObject({ state: "success" });
  }, WAIT);
  // 2.5 % of each is the gateway's.
  const spent = 1_000n + 7_000n + 25n + 175n;
  expect(before - (await balanceOf())).toBe(spent);
  const [ledger] = await db.run<{ sum: bigint }>({
    text: "select sum(amount)::bigint as sum from entries where account = $1",
    values: [`clearing:${CODE}`],
  });
  expect(ledger?.sum).toBe(spent);
  const day = ["--since", "2020-01-01", "--until", "2100-01-01"];
  expect(await json("reconcile", "provider", CODE, "--from", "api", ...day)).toMatchObject({
    attempts: 2,
    differences: [],
    unanswered: { count: 0 },
    totals: [
      { currency: "RUB", theirs: { fees: "200", net: `-${spent}` }, ours: { net: `-${spent}` }, difference: "0" },
    ],
  });
  expect(await print("reconcile", "provider", CODE, "--from", "api", ...day)).toContain("The sums agree.");
});
