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
async function reconcileForEver(): Promise<void> {
  const changed = await reconcile(shop).catch((error: Error) => console.error(`Reconciliation: ${error.message}`));
  if (changed) console.log(`Reconciliation: ${changed} orders changed`);
  setTimeout(reconcileForEver, settings.reconcileEveryMs).unref();
}
await reconcileForEver();

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    server.close();
    server.closeAllConnections();
  });
}
