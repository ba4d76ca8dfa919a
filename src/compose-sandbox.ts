import type { MoveSandboxClock } from "./app/payments/move-clock.ts";
import type { SandboxConnector } from "./connectors/sandbox/connector.ts";
import { openSandboxConnector } from "./connectors/sandbox/connector.ts";
import { openSandboxControl } from "./connectors/sandbox/control.ts";
import { openSandboxDesk, type SandboxDeskLine } from "./connectors/sandbox/desk.ts";
import { openSandboxPages, type SandboxPages } from "./connectors/sandbox/pages.ts";
import type { Connector } from "./core/connector.ts";
import { keepFor } from "./platform/keep-for.ts";
import type { Log } from "./platform/log.ts";
import { Secret } from "./platform/secret.ts";
import type { Keyring } from "./platform/secrets.ts";
import type { SandboxConnection } from "./sandbox/database.ts";
import type { SandboxHost } from "./sandbox/start-sandbox.ts";
import type { Database } from "./store/db.ts";
import type { ProcessRole } from "./store/processes/processes.ts";
import { findSetting, saveSetting } from "./store/processes/settings.ts";

/** Our line to the fake outside world, its pages for browsers, and its controls for testers. */
export type SandboxLine = {
  readonly connector: SandboxConnector;
  readonly pages: SandboxPages;
  readonly desk: SandboxDeskLine;
  readonly close: () => Promise<void>;
};

export type RunningSandbox = SandboxLine & {
  /** Tells the sandbox where its notifications go, and where browsers find its pages, once that is known. */
  readonly notifyAt: (url: string, pagesUrl: string) => Promise<void>;
};

const TIMEOUT_MS = 5_000;
/** Where the sandbox of a worker listens, for commands on the same machine. */
export const SANDBOX_URL_SETTING = "sandbox_url";

/** Every process that knows the master key knows it, so that any of them can check the sandbox's notifications. */
export function sandboxSecret(keyring: Keyring): Secret<string> {
  return new Secret(keyring.lookupHash("sandbox.secret", "").toString("hex"));
}

export async function runSandbox(
  { db, keyring, log }: { readonly db: Database; readonly keyring: Keyring; readonly log: Log },
  connection: SandboxConnection,
  start: SandboxHost["start"],
): Promise<RunningSandbox> {
  const secret = sandboxSecret(keyring);
  const sandbox = await start({ connection, secret, log });
  const line = { baseUrl: sandbox.url, secret, timeoutMs: TIMEOUT_MS };
  const connector = openSandboxConnector({ ...line, connectionsMax: 64 });
  const pages = openSandboxPages(line);
  const desk = openSandboxDesk(line);
  await db.transaction((tx) => saveSetting(tx, SANDBOX_URL_SETTING, sandbox.url));
  return {
    ...{ connector, pages, desk },
    notifyAt: async (url, pagesUrl) => {
      const control = openSandboxControl(line);
      const told = await control.setNotifyUrl(url, pagesUrl);
      await control.close();
      if (!told) log.warn("the sandbox could not be told where its notifications go");
    },
    close: async () => {
      await Promise.all([connector.close(), pages.close(), desk.close()]);
      await sandbox.close();
    },
  };
}

/** A worker that is started again listens on another port; charges that follow one another share one read. */
const URL_KEPT_MS = 1_000;

/** For a process that only takes merchants' calls: the sandbox runs in a worker, which says in the database where. */
export function reachSandbox({ db, keyring }: { readonly db: Database; readonly keyring: Keyring }): SandboxLine {
  const baseUrl = keepFor(URL_KEPT_MS, () => findSetting(db, SANDBOX_URL_SETTING));
  const line = { baseUrl, secret: sandboxSecret(keyring), timeoutMs: TIMEOUT_MS };
  const connector = openSandboxConnector(line);
  const pages = openSandboxPages(line);
  const desk = openSandboxDesk(line);
  return {
    ...{ connector, pages, desk },
    close: async () => {
      await Promise.all([connector.close(), pages.close(), desk.close()]);
    },
  };
}

/** For a command: the clock of the sandbox that a process on this machine runs. */
export async function findSandboxClock(
  db: Database,
  openKeyring: () => Promise<Keyring>,
): Promise<MoveSandboxClock | undefined> {
  const baseUrl = await db.transaction((tx) => findSetting(tx, SANDBOX_URL_SETTING));
  if (baseUrl === undefined) return undefined;
  const secret = sandboxSecret(await openKeyring());
  return async (projectId, seconds) => {
    const control = openSandboxControl({ baseUrl, secret, timeoutMs: TIMEOUT_MS });
    try {
      return await control.moveClock(projectId, seconds);
    } finally {
      await control.close();
    }
  };
}

type SandboxParts = {
  readonly role: ProcessRole;
  readonly db: Database;
  readonly keyring: Keyring;
  readonly log: Log;
  readonly startSandbox: SandboxHost["start"];
};

type Connectors = {
  readonly connectors: readonly Connector[];
  readonly sandboxPages: SandboxPages | undefined;
  readonly sandboxDesk: SandboxDeskLine | undefined;
  readonly notifyAt: (url: string, pagesUrl: string) => Promise<void>;
};

/** The built-in connectors of a process, which are the sandbox's where there is one. */
export async function composeConnectors(
  parts: SandboxParts,
  sandboxConnection: SandboxConnection | undefined,
  closers: (() => Promise<unknown>)[],
): Promise<Connectors> {
  if (sandboxConnection === undefined)
    return { connectors: [], sandboxPages: undefined, sandboxDesk: undefined, notifyAt: async () => undefined };
  if (parts.role === "api") {
    const line = reachSandbox(parts);
    closers.push(line.close);
    return { ...linesOf(line), notifyAt: async () => undefined };
  }
  const sandbox = await runSandbox(parts, sandboxConnection, parts.startSandbox);
  closers.push(sandbox.close);
  return { ...linesOf(sandbox), notifyAt: sandbox.notifyAt };
}

function linesOf({ connector, pages, desk }: SandboxLine): Omit<Connectors, "notifyAt"> {
  return { connectors: [connector], sandboxPages: pages, sandboxDesk: desk };
}
