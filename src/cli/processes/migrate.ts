import { seedBanks } from "../../app/merchants/seed-banks.ts";
import { migrate, readMigrations } from "../../store/migrate.ts";
import { CliFault, type Command, EXIT } from "../kit/command.ts";

export const migrateCommand: Command = {
  name: "migrate",
  summary: "Migrate the database's schema. The service also does this when it starts.",
  arguments: [],
  options: {},
  notes: [
    "Where the service's database user does not own the tables, set DATABASE_URL for the user that does.",
    "Example: DATABASE_URL=postgresql://tillgate_owner@db.internal/tillgate {program} migrate",
  ],
  run: (context) =>
    context.withUncheckedDatabase(async (db) => {
      const migrated = await migrate(db, readMigrations(), context.embeddedDir);
      if (!migrated.ok) throw new CliFault(migrated.error);
      await seedBanks(db);
      context.print(migrated.value === 0 ? "The schema is current." : `Applied ${migrated.value} migrations.`);
      return EXIT.done;
    }),
};
