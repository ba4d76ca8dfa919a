import type { Id } from "../../core/ids.ts";
import { type Log, reasonOf } from "../../platform/log.ts";
import { callbackKeyName, inSigningOrder } from "../callbacks/callback-keys.ts";
import type { Directory } from "../merchants/directory.ts";

const LOOKED_EVERY_MS = 1_000;

type Deps = {
  readonly peek: () => Directory;
  readonly projectId: Id;
  readonly log: Log;
  /** Writes the file as of now. */
  readonly write: () => Promise<void>;
};

/**
 * Writes `sandbox.json` again whenever another key signs callbacks: promoted by an operator, or because the overlap ended.
 * The file would otherwise name a key that no longer makes x-access-signature until the next start.
 */
export function keepSandboxFile({ peek, projectId, log, write }: Deps): { readonly close: () => Promise<void> } {
  let written = signingKeys(peek(), projectId);
  let writing: Promise<void> | undefined;

  async function look(): Promise<void> {
    const signing = signingKeys(peek(), projectId);
    if (signing === written) return;
    try {
      await write();
      written = signing;
    } catch (error) {
      log.warn({ reason: reasonOf(error) }, "sandbox.json could not be written");
    }
  }

  const timer = setInterval(() => {
    writing ??= look().finally(() => {
      writing = undefined;
    });
  }, LOOKED_EVERY_MS);
  timer.unref();
  return {
    close: async () => {
      clearInterval(timer);
      await writing;
    },
  };
}

function signingKeys({ callbackKeys }: Directory, projectId: Id): string {
  const nowMs = Date.now();
  const names = [
    callbackKeyName("rsa", null),
    callbackKeyName("hmac", projectId),
    callbackKeyName("webhook", projectId),
  ];
  const idsOf = (name: string) =>
    inSigningOrder((callbackKeys.get(name) ?? []).filter((key) => key.retiresAtMs > nowMs)).map((key) => key.id);
  return JSON.stringify(names.map(idsOf));
}
