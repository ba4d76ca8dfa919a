import type { Database } from "../../store/db.ts";
import { listenForDirectoryChanges } from "../../store/merchants/directory-version.ts";

/** A connection on which PostgreSQL notifies us of changes to the directory. */
export type DirectoryListener = {
  /** Connects where there is no connection, one attempt at a time: while the database is away one takes longer than a tick. */
  readonly ensure: () => Promise<void>;
  /** A server that fell silent may never end its connection, and the next server then notifies no one. */
  readonly drop: () => void;
  readonly close: () => Promise<void>;
};

type Ears = { readonly onChange: () => void /** Changes may be missed from now on. */; readonly onLost: () => void };
type Connection = { readonly end: () => Promise<void> };

export function openDirectoryListener(db: Database, { onChange, onLost }: Ears): DirectoryListener {
  let connection: Connection | undefined;
  let isConnecting = false;

  async function connect(): Promise<void> {
    const client = await db.connect();
    const made = { end: () => client.end() };
    client.on("end", () => {
      if (connection === made) connection = undefined;
      onLost();
    });
    try {
      await listenForDirectoryChanges(client, onChange);
    } catch (error) {
      made.end().catch(() => undefined);
      throw error;
    }
    connection = made;
  }

  return {
    ensure: async () => {
      if (connection !== undefined || isConnecting) return;
      isConnecting = true;
      try {
        await connect();
      } finally {
        isConnecting = false;
      }
    },
    drop: () => {
      connection?.end().catch(() => undefined);
      connection = undefined;
      onLost();
    },
    close: async () => {
      await connection?.end().catch(() => undefined);
    },
  };
}
