/**
 * Does together what arrives together: while one lot is being written the next one gathers, so a busy sandbox makes few
 * statements and a lone caller does not wait. Every lot is one statement that may be repeated, so if one fails, its
 * items are tried one by one, and an item that cannot be written fails alone.
 */
export type Lots<T, R> = (item: T) => Promise<R>;

type Waiting<T, R> = {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
};

const LOT_MAX = 500;

/** `write` answers one result for each item, in their order. */
export function openLots<T, R>(write: (items: readonly T[]) => Promise<readonly R[]>): Lots<T, R> {
  const queue: Waiting<T, R>[] = [];
  let isWriting = false;

  async function settle(lot: readonly Waiting<T, R>[]): Promise<void> {
    try {
      const results = await write(lot.map(({ item }) => item));
      for (const [index, { resolve }] of lot.entries()) resolve(results[index] as R);
    } catch (error) {
      if (lot.length === 1) lot[0]?.reject(error);
      else for (const each of lot) await settle([each]);
    }
  }

  async function writeAll(): Promise<void> {
    while (queue.length > 0) await settle(queue.splice(0, LOT_MAX));
    isWriting = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject });
      if (isWriting) return;
      isWriting = true;
      // What arrives in the same turn of the event loop comes along.
      setImmediate(writeAll);
    });
}
