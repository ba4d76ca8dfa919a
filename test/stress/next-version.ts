import { cpSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * A version after this one, installed beside it: the same program with more migrations. They do what most upgrades do: a column, a rule
 * that is checked later, an index, and rows that are filled in.
 */
export type NextVersion = { readonly directory: string; readonly program: string; readonly migrations: number };

const MIGRATIONS = {
  "expand.sql": `
    alter table payments add column note text;
    alter table payments add constraint payments_note_short check (char_length(note) <= 64) not valid;`,
  "fill.sql": `-- no transaction
    create index concurrently payments_of_customer on payments (project_id, customer_id, created_at);
    create index concurrently payments_unfilled on payments (project_id, request_id) where note is null and customer_id = 'filled';
    update payments set note = 'filled by a migration'
     where (project_id, request_id) in (
       select project_id, request_id from payments where note is null and customer_id = 'filled'
        order by project_id, request_id limit 500);
    drop index concurrently payments_unfilled;`,
  "validate.sql": "alter table payments validate constraint payments_note_short;",
};

export function installNextVersion(last: number): NextVersion {
  const directory = mkdtempSync(join(tmpdir(), "tillgate-next-"));
  for (const part of ["bin", "dist", "docs", "migrations", "package.json"])
    cpSync(join(ROOT, part), join(directory, part), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(directory, "node_modules"));
  for (const [index, [name, sql]] of Object.entries(MIGRATIONS).entries()) {
    const number = String(last + 1 + index).padStart(4, "0");
    writeFileSync(join(directory, "migrations", `${number}-${name}`), `-- compatible: ${last}\n${sql}\n`);
  }
  return {
    ...{ directory, migrations: Object.keys(MIGRATIONS).length },
    program: join(directory, "bin", "tillgate.mjs"),
  };
}
