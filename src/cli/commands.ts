import type { Command } from "./command.ts";
import { ledgerCheck } from "./ledger-check.ts";
import { migrateCommand } from "./migrate.ts";
import { start } from "./start.ts";

/** Every command, in the order that the help shows them. */
export const COMMANDS: readonly Command[] = [start, migrateCommand, ledgerCheck];
