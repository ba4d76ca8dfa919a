import { expect, it, vi } from "vitest";
import type { Connector } from "../core/connector.ts";
import { listProviderBalances } from "../store/providers/provider-balances.ts";
import { aBalance, aConfiguredProvider, fakeBooks } from "../testing/builders/provider-books.ts";
import { useTestDatabase } from "../testing/database/test-database.ts";
import { aFakeProvider } from "../testing/rigs/fake-provider.ts";
import { startProviderWatch } from "./provider-watch.ts";

const { db } = useTestDatabase();
const WAIT = { timeout: 60_000, interval: 5 };
const log = { info: () => undefined, warn: () => undefined, error: () => undefined } as never;

function watch(connectors: readonly Connector[]) {
  return startProviderWatch({
    ...{ db, log, chance: () => 0 },
    currentDirectory: async () => ({ configuredProviders: connectors.map(({ code }) => ({ code })) as never }),
    findConnector: (code) => connectors.find((each) => each.code === code),
  });
}

it("reads each provider once in its time, and one that hangs delays no other", async () => {
  let letGo: () => void = () => undefined;
  const hanging = new Promise<undefined>((resolve) => {
    letGo = () => resolve(undefined);
  });
  const slow = { ...fakeBooks(), readBalances: () => hanging };
  const quick = fakeBooks({ balances: [aBalance(5)] });
  const connectors = [
    { ...aFakeProvider(await aConfiguredProvider(db, "slow")), books: slow },
    { ...aFakeProvider(await aConfiguredProvider(db, "quick")), books: quick },
    // It keeps no books for us.
    aFakeProvider(await aConfiguredProvider(db, "bookless")),
  ];
  const [one, another] = [watch(connectors), watch(connectors)];
  await vi.waitFor(() => expect(quick.asked.toSorted()).toEqual(["balances", "banks"]), WAIT);
  letGo();
  await Promise.all([one.stop(), another.stop()]);
  expect(quick.asked.toSorted()).toEqual(["balances", "banks"]);
  expect(await listProviderBalances(db)).toMatchObject([{ provider: "quick", amount: 5n }]);
});
