// A complete small shop on the SDK. Start Tillgate (npm start in the repository), then: npm start in this directory.
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { openOrderFile } from "./order-file.ts";
import { reconcile } from "./reconcile.ts";
import { createShopServer } from "./server.ts";
import { readSettings } from "./settings.ts";

const settings = readSettings(process.env);
const server = createShopServer(() => shop).listen(settings.port, "127.0.0.1");
await once(server, "listening");

const { port } = server.address() as AddressInfo;
const listensAt = `http://127.0.0.1:${port}`;
const shop = {
  tillgate: settings.tillgate,
  orders: openOrderFile(settings.orderFile),
  webhookSecret: settings.webhookSecret,
  url: settings.publicUrl ?? listensAt,
};
console.log(`The shop is open at ${listensAt}`);

/** One after the other, and never two at once. */
async function keepReconciling(): Promise<void> {
  const changed = await reconcile(shop);
  if (changed > 0) console.log(`Reconciliation: ${changed} orders changed`);
  setTimeout(keepReconciling, settings.reconcileEveryMs).unref();
}
await keepReconciling();

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    server.close();
    server.closeAllConnections();
  });
}
