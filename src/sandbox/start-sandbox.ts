import { setMaxListeners } from "node:events";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Log } from "../platform/log.ts";
import type { Secret } from "../platform/secret.ts";
import { openChargeDesk } from "./cards/charge-desk.ts";
import { openSandboxDatabase, type SandboxConnection, type SandboxDatabase } from "./database.ts";
import { openCourier } from "./deliver.ts";
import { settleDue } from "./due.ts";
import { hasFaults } from "./faults.ts";
import { openLoop } from "./loop.ts";
import { openPayinDesk } from "./requests/payin-desk.ts";
import { makeSchema } from "./schema.ts";
import { buildSandboxServer } from "./server.ts";
import { ensureCardKey, findNotifyUrl, findPublicUrl, saveNotifyUrl, savePublicUrl } from "./settings.ts";

/** The fake outside world: a provider with its banks, on a port of its own, with books of its own. */
export type Sandbox = { readonly url: string; readonly close: () => Promise<void> };

/** Where a sandbox runs: in this process, or in one of its own. */
export type SandboxHost = {
  readonly start: (options: SandboxOptions) => Promise<Sandbox>;
  /** Ends what was started, and what was not yet. */
  readonly close: () => Promise<void>;
};

export type SandboxOptions = {
  readonly connection: SandboxConnection;
  /** 0 or absent: a free one. */
  readonly port?: number;
  /** Where changes are told; kept, so that a restart without it goes on. It can be set later over HTTP too. */
  readonly notifyUrl?: string;
  /** Signs both ways. It may change with every start. */
  readonly secret: Secret<string>;
  readonly log: Log;
};

const HOST = "127.0.0.1";
/** What becomes due within it is settled together; money that takes two seconds may take so much more. */
const SETTLE_EVERY_MS = 50;
const SETTLE_IDLE_MS = 1_000;

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { log, port = 0 } = options;
  const db = openSandboxDatabase(options.connection, (error) =>
    log.warn({ reason: error.message }, "the sandbox lost a connection to its database"),
  );
  try {
    await makeSchema(db);
    if (options.notifyUrl !== undefined) await saveNotifyUrl(db, options.notifyUrl);
    // What is kept in memory can be read again from the rows; nothing else may be.
    const memory: Memory = {
      notifyUrl: await findNotifyUrl(db),
      publicUrl: await findPublicUrl(db),
      faulty: await hasFaults(db),
      cardKey: await ensureCardKey(db),
      ownUrl: "",
    };
    const { server, stop } = openWorld(db, options, memory);
    await server.listen({ host: HOST, port }).catch(async (error) => {
      await stop();
      throw error;
    });
    const address = server.server.address() as AddressInfo;
    const url = `http://${HOST}:${address.port}`;
    memory.ownUrl = url;
    const close = async (): Promise<void> => {
      await stop();
      await db.close();
    };
    return { url, close };
  } catch (error) {
    await db.close();
    throw error;
  }
}

type Memory = {
  notifyUrl: string | undefined;
  /** Where browsers find the issuer's pages, when that is not where the sandbox listens. */
  publicUrl: string | undefined;
  faulty: boolean;
  readonly cardKey: Secret<string>;
  ownUrl: string;
};

function openWorld(
  db: SandboxDatabase,
  { log, secret }: SandboxOptions,
  memory: Memory,
): { readonly server: FastifyInstance; readonly stop: () => Promise<void> } {
  const courier = openCourier({ db, log, secret, findUrl: () => memory.notifyUrl });
  const telling = openLoop(log, courier.deliverDue);
  const settle = async (): Promise<number | undefined> => {
    const { count, claimed, nextMs } = await settleDue(db);
    courier.send(claimed);
    if (count > claimed.length) telling.wake();
    return nextMs;
  };
  const settling = openLoop(log, async () => Math.max((await settle()) ?? SETTLE_IDLE_MS, SETTLE_EVERY_MS));
  const closing = new AbortController();
  // Each slow answer waits on it, and there may be hundreds at once: that is no leak to warn of.
  setMaxListeners(0, closing.signal);
  const publicUrl = () => (memory.publicUrl ?? memory.ownUrl).replace(/\/+$/, "");
  const server = buildSandboxServer({
    db,
    secret,
    log,
    payins: openPayinDesk(db, publicUrl),
    charges: openChargeDesk(db),
    settle: async () => {
      await settle();
    },
    closing: closing.signal,
    tell: telling.wake,
    cardKey: memory.cardKey,
    publicUrl,
    wake: () => {
      settling.wake();
      telling.wake();
    },
    // Looking for faults is a third of what a request costs, and most sandboxes never have any.
    mayHaveFaults: () => memory.faulty,
    expectFaults: () => {
      memory.faulty = true;
    },
    setNotifyUrl: async (url) => {
      await saveNotifyUrl(db, url);
      memory.notifyUrl = url;
      telling.wake();
    },
    setPublicUrl: async (url) => {
      await savePublicUrl(db, url);
      memory.publicUrl = url;
    },
  });
  const stop = async (): Promise<void> => {
    closing.abort();
    await server.close();
    await courier.close();
    await Promise.all([settling.close(), telling.close()]);
  };
  return { server, stop };
}
