import type { LogLevel } from "../../platform/log.ts";
import type { SandboxConnection } from "../database.ts";

/** What the sandbox's process is told once, over its channel: neither its arguments nor its environment hold a secret. */
export type SandboxStart = {
  readonly connection: SandboxConnection;
  readonly port: number;
  readonly secret: string;
  readonly logLevel: LogLevel;
};

/** Told second: it closes its books in good order and ends. */
export const STOP = "stop";

/** What it answers, and a line of its log whenever there is one. */
export type SandboxReport =
  | { readonly kind: "listening"; readonly url: string }
  | { readonly kind: "failed"; readonly message: string; readonly code: string | undefined }
  | { readonly kind: "line"; readonly line: string };
