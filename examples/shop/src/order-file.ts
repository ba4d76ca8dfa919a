import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import type { Order } from "./order.ts";

/**
 * Orders in a JSON file, which is enough to read this example with. A real shop has a table of orders in its database,
 * and changes an order and stores the event's id in one transaction.
 */
export type OrderFile = {
  readonly list: () => readonly Order[];
  readonly find: (id: string) => Order | undefined;
  readonly add: (order: Order) => void;
  /** One change at a time, on disk before it returns. */
  readonly change: (id: string, decide: (order: Order) => Order) => Order | undefined;
};

export function openOrderFile(path: string): OrderFile {
  const orders = new Map<string, Order>(readOrders(path).map((order) => [order.id, order]));
  const keep = (order: Order) => {
    // On disk first: an order that cannot be written is not changed in memory either.
    writeWhole(path, JSON.stringify([...new Map(orders).set(order.id, order).values()], null, 2));
    orders.set(order.id, order);
    return order;
  };
  return {
    list: () => [...orders.values()],
    find: (id) => orders.get(id),
    add: (order) => {
      if (orders.has(order.id)) throw new Error(`there is an order ${order.id} already`);
      keep(order);
    },
    change: (id, decide) => {
      const before = orders.get(id);
      if (before === undefined) return undefined;
      const after = decide(before);
      return after === before ? before : keep(after);
    },
  };
}

function readOrders(path: string): Order[] {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : [];
}

/** After a crash the file holds the old orders or the new ones, never half of them. */
function writeWhole(path: string, text: string): void {
  const file = openSync(`${path}.new`, "w", 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.new`, path);
}
