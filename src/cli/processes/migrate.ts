import { seedBanks } from "../../app/merchants/seed-banks.ts";
import type { Database } from "../../store/db.ts";
import {
  explainMissing,
  explainUnusable,
  isUsable,
  migrate,
  readMigrations,
  schemaState,
} from "../../store/migrate.ts";
import { type CliContext, CliFault, type Command, EXIT, type ExitCode } from "../kit/command.ts";

export const migrateCommand: Command = {
  name: "migrate",
  summary: "Migrate the database's schema. The service also does this when it starts, unless TILLGATE_MIGRATE=off.",
  arguments: [],
  options: {
    check: { type: "boolean", help: "change nothing: list the migrations that are missing; exit code 1 if any is" },
  },
  notes: [
    "Where the service's database user does not own the tables, set DATABASE_URL for the user that does.",
    "Example: DATABASE_URL=postgresql://tillgate_owner@db.internal/tillgate {program} migrate",
  ],
  run: (context, input) =>
    context.withUncheckedDatabase((db) => (input.flag("check") ? check(context, db) : run(context, db))),
};

async function run(context: CliContext, db: Database): Promise<ExitCode> {
  const warn = (record: object, message: string) => context.printError(`${message} ${JSON.stringify(record)}`);
  const migrated = await migrate(db, { dataDir: context.embeddedDir, log: { warn } });
  if (!migrated.ok) throw new CliFault(migrated.error);
  await seedBanks(db);
  context.print(migrated.value === 0 ? "The schema is current." : `Applied ${migrated.value} migrations.`);
  return EXIT.done;
}

async function check(context: CliContext, db: Database): Promise<ExitCode> {
  const migrations = readMigrations();
  const state = await schemaState(db, migrations);
  if (state.kind === "behind") {
    context.print(`${explainMissing(state)}:`);
    for (const { version, name } of migrations.slice(-state.missing)) context.print(`  ${version} ${name}`);
    return EXIT.refused;
  }
  if (!isUsable(state)) throw new CliFault(explainUnusable(state, context.embeddedDir));
  const newer = `The schema is ${state.kind === "compatible" ? state.version : ""}, newer than this program, which can work on it.`;
  context.print(state.kind === "current" ? "The schema is current." : newer);
  return EXIT.done;
}
