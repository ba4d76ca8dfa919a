import type { SandboxDatabase } from "./database.ts";

/** What really arrived and what really left, by currency. Sums are text: they may outgrow what JSON numbers hold. */
export async function readBooks(db: SandboxDatabase, projectId: string | undefined): Promise<string> {
  const rows = await db.run<{ books: string }>(
    `with sums as (
       select direction, currency, sum(amount)::text as amount, count(*) as entries
       from sandbox.book_entries where $1::text is null or project_id = $1
       group by direction, currency
     ), lines as (
       select direction, json_agg(
         json_build_object('currency', currency, 'amount', amount, 'entries', entries) order by currency) as list
       from sums group by direction
     )
     select json_build_object(
       'arrived', coalesce((select list from lines where direction = 'arrived'), '[]'),
       'left', coalesce((select list from lines where direction = 'left'), '[]'))::text as books`,
    [projectId ?? null],
  );
  return rows[0]?.books ?? "{}";
}

export type EntriesPage = {
  readonly projectId: string | undefined;
  readonly after: number;
  readonly limit: number;
};

/** Oldest first. An entry that is being written while a page is read may be missed: compare books that are at rest. */
export async function listEntries(db: SandboxDatabase, page: EntriesPage): Promise<string> {
  const rows = await db.run<{ page: string }>(
    `with listed as (
       select id, direction, reference, project_id, currency, amount, booked_at
       from sandbox.book_entries
       where id > $1 and ($2::text is null or project_id = $2)
       order by id limit $3
     )
     select json_build_object(
       'entries', coalesce((select json_agg(json_build_object(
           'id', 'tr-' || id, 'direction', direction, 'reference', reference, 'project_id', project_id,
           'currency', currency, 'amount', amount, 'booked_at', sandbox.iso(booked_at)) order by id) from listed), '[]'),
       'next', (select max(id) from listed having count(*) = $3))::text as page`,
    [page.after, page.projectId ?? null, page.limit],
  );
  return rows[0]?.page ?? "{}";
}
