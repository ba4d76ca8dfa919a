import type { Migration } from "../../src/store/migrate.ts";
import { splitStatements } from "../../src/store/schema/split-statements.ts";

/**
 * What a migration after the first release may not do, because old processes work on the same tables meanwhile: CONTRIBUTING.md,
 * "Changing the schema after 0.1.0". The rules read text, not SQL's grammar: they find what is written the usual way.
 */
type Rule = {
  readonly pattern: RegExp;
  /** What is refused although the pattern fits, unless this fits too. */
  readonly unless?: RegExp;
  readonly instead: string;
};

/** For a statement about a table that this migration did not create. */
const RULES: readonly Rule[] = [
  { pattern: /^create (unique )?index (?!concurrently)/, instead: "create index concurrently, with -- no transaction" },
  { pattern: /^drop index (?!concurrently)/, instead: "drop index concurrently, with -- no transaction" },
  { pattern: /\balter (column )?\w+ (set data )?type\b/, instead: "a new column, filled in batches" },
  {
    pattern:
      /\badd (column )?(if not exists )?(?!constraint|check|foreign|unique|primary|exclude)\w+ .*\b(references|check|unique|primary key)\b/,
    instead: "the column first, and the rule as a constraint with not valid",
  },
  {
    pattern: /\badd (column )?(?!constraint|check|foreign|unique|primary|exclude)\w+ .*\bnot null\b/,
    unless: /\bdefault\b/,
    instead: "a nullable column, or a constant default",
  },
  {
    pattern: /\badd (column )?\w+ .*\bdefault (?!'[^']*'|-?\d|true\b|false\b|null\b|now\(\)|current_timestamp\b)/,
    instead: "a constant default: any other is computed for each row under the lock",
  },
  {
    pattern: /\badd (column )?\w+ .*(\bgenerated\b|\b(small|big)?serial\b)/,
    instead: "a plain column, filled in batches",
  },
  {
    pattern: /\badd (constraint \w+ )?(foreign key|check)\b/,
    unless: /\bnot valid\b/,
    instead: "not valid, and validate constraint in a migration of its own",
  },
  {
    pattern: /\badd (constraint \w+ )?(unique|primary key)\b/,
    unless: /\busing index\b/,
    instead: "a unique index that is made concurrently, then using index",
  },
  {
    pattern: /\badd (constraint \w+ )?exclude\b/,
    instead: "another way to keep the rule: this index cannot be made concurrently",
  },
  {
    pattern: /\bset (logged|unlogged|tablespace|access method)\b/,
    instead: "nothing: it writes the whole table again",
  },
  { pattern: /^(update|delete|merge|with)\b/, instead: "batches, with -- no transaction and a limit" },
  { pattern: /^insert\b.*\bselect\b/, instead: "batches, with -- no transaction and a limit" },
  { pattern: /^(vacuum|cluster|reindex|truncate|lock)\b/, instead: "nothing: it keeps others from the table" },
  { pattern: /\brename\b/, instead: "a new name beside the old one: one of two versions knows only one of them" },
  { pattern: /\bcascade\b/, instead: "each thing by its name" },
];

const ABOUT = [
  /^alter table (?:if exists )?(?:only )?(\w+)/,
  /^create (?:unique )?index (?:concurrently )?\w+ on (?:only )?(\w+)/,
  /^create (?:or replace )?(?:constraint )?trigger .*? on (\w+)/,
  /^drop trigger (?:if exists )?\w+ on (\w+)/,
  /^insert into (\w+)/,
  /^update (?:only )?(\w+)/,
];

/** The faults of one migration, given all of them. */
export function listMigrationFaults(migration: Migration, all: readonly Migration[]): string[] {
  const statements = statementsOf(migration);
  const created = statements.flatMap((text) => /^create table (?:if not exists )?(\w+)/.exec(text)?.[1] ?? []);
  const others = statements.filter((text) => !created.includes(tableOf(text) ?? ""));
  const faults = migration.steps === undefined ? others.flatMap(faultsOfStatement) : [];
  faults.push(...others.flatMap((text) => faultsOfNotNull(text, earlierThan(migration, all))));
  if (migration.compatible === undefined) faults.push("the first lines must say -- compatible: NUMBER");
  const locked = new Set(migration.steps === undefined ? others.filter(takesLock).map(tableOf) : []);
  if (locked.size > 1) faults.push(`it locks ${[...locked].join(" and ")}: one table a file`);
  const validating = statements.filter((text) => /\bvalidate constraint\b/.test(text));
  if (validating.length > 0 && statements.length > 1) faults.push("validate constraint must be alone in its file");
  return faults;
}

function statementsOf({ sql }: Migration): string[] {
  // A function's body is not run by the migration.
  return splitStatements(sql).map((text) =>
    text
      .replace(/(\$\w*\$)[\s\S]*?\1/g, "$$body$$")
      .replace(/\s+/g, " ")
      .toLowerCase(),
  );
}

function tableOf(text: string): string | undefined {
  for (const pattern of ABOUT) {
    const table = pattern.exec(text)?.[1];
    if (table !== undefined) return table;
  }
  return undefined;
}

function takesLock(text: string): boolean {
  return /^(alter table|create (or replace )?(constraint )?trigger|drop trigger)\b/.test(text);
}

function faultsOfStatement(text: string): string[] {
  if (/^create (table|(or replace )?function|type|sequence|(or replace )?view)\b/.test(text)) return [];
  return RULES.filter(({ pattern, unless }) => pattern.test(text) && unless?.test(text) !== true).map(
    ({ instead }) => `${text.slice(0, 60)}: write ${instead}`,
  );
}

function earlierThan({ version }: Migration, all: readonly Migration[]): string {
  return all
    .filter((each) => each.version < version)
    .flatMap(statementsOf)
    .join(";\n");
}

/** PostgreSQL reads the whole table under the lock, unless a rule that it has validated says the same. */
function faultsOfNotNull(text: string, earlier: string): string[] {
  const table = tableOf(text);
  return [...text.matchAll(/\balter (?:column )?(\w+) set not null\b/g)].flatMap(([, column]) => {
    const added = new RegExp(`alter table ${table} .*?add constraint (\\w+) check \\(\\(?${column} is not null\\)`);
    const name = added.exec(earlier)?.[1];
    const isProven =
      name !== undefined && new RegExp(`alter table ${table} validate constraint ${name}\\b`).test(earlier);
    return isProven ? [] : [`${column} set not null: validate a check (${column} is not null) in an earlier migration`];
  });
}
