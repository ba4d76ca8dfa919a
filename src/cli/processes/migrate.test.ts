import { expect, it } from "vitest";
import { readMigrations } from "../../store/migrate.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { recordingContext } from "../../testing/program/cli-context.ts";
import { runCli } from "../kit/run.ts";

const { db } = useTestDatabase();
const real = readMigrations();
const last = real.at(-1);

async function migrate(...words: string[]) {
  const { context, printed, errors } = recordingContext({ withUncheckedDatabase: (work) => work(db) });
  return { code: await runCli(context, ["migrate", ...words]), said: [...printed, ...errors].join("\n") };
}

it("migrate --check says that nothing is missing", async () => {
  expect(await migrate("--check")).toEqual({ code: 0, said: "The schema is current." });
});

it("migrate --check lists what is missing, and changes nothing", async () => {
  await db.run({ text: "delete from schema_migrations where version = $1", values: [real.length] });
  const missing = { code: 1, said: `1 migration is missing:\n  ${real.length} ${last?.name}` };
  expect(await migrate("--check")).toEqual(missing);
  expect(await migrate("--check")).toEqual(missing);
});

it("migrate --check accepts a newer schema that this program can work on, and no other", async () => {
  await db.run({
    text: `insert into schema_migrations (version, name, checksum, compatible)
           values ($1, $2, $3, null), ($1 + 1, 'newer', 'newer', $1)`,
    values: [real.length, last?.name, last?.checksum],
  });
  const version = real.length + 1;
  const newer = `The schema is ${version}, newer than this program, which can work on it.`;
  expect(await migrate("--check")).toEqual({ code: 0, said: newer });
  expect(await migrate()).toEqual({ code: 0, said: "The schema is current." });
  await db.run({ text: "update schema_migrations set compatible = null where version = $1", values: [version] });
  const refused = `The database has schema ${version}, which a newer program made: run that one.`;
  expect(await migrate("--check")).toEqual({ code: 1, said: expect.stringContaining(refused) });
});
