import type { Id } from "../../core/ids.ts";
import { CALLS_KEPT, ERRORS_KEPT, UNSIGNED_KEPT } from "../../core/request-log/limits.ts";
import type { ChunkKind } from "../../core/request-log/logged-call.ts";
import type { Database, Transaction } from "../db.ts";

/** Calls of one project that were written together. Its id is that of its newest call. */
export type Chunk = {
  readonly projectId: Id;
  readonly id: Id;
  readonly oldestId: Id;
  readonly kind: ChunkKind;
  readonly callCount: number;
  /** Unsigned calls that were counted only. */
  readonly missed: number;
  readonly heads: Buffer;
};

export type NewChunk = Chunk & { readonly bodies: Buffer };

/** All of them in one statement. Their bytes are one value: a list of them would be sent as hexadecimal text. */
export async function insertChunks(db: Pick<Database, "run">, chunks: readonly NewChunk[]): Promise<void> {
  let length = 0;
  const placed = chunks.map(({ heads, bodies }) => {
    const headsFrom = length + 1;
    const bodiesFrom = headsFrom + heads.length;
    length += heads.length + bodies.length;
    return { headsFrom, bodiesFrom, headsLength: heads.length, bodiesLength: bodies.length };
  });
  await db.run({
    name: "insert_request_log",
    text: `insert into request_log (project_id, id, oldest_id, kind, call_count, missed, heads, bodies)
           select c.project_id, c.id, c.oldest_id, c.kind, c.call_count, c.missed,
                  substring($11::bytea from c.heads_from for c.heads_length),
                  substring($11::bytea from c.bodies_from for c.bodies_length)
             from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::int[], $6::int[], $7::int[], $8::int[],
                         $9::int[], $10::int[])
                  as c (project_id, id, oldest_id, kind, call_count, missed, heads_from, heads_length, bodies_from,
                        bodies_length)
           on conflict do nothing`,
    values: [
      chunks.map(({ projectId }) => projectId),
      chunks.map(({ id }) => id),
      chunks.map(({ oldestId }) => oldestId),
      chunks.map(({ kind }) => kind),
      chunks.map(({ callCount }) => callCount),
      chunks.map(({ missed }) => missed),
      placed.map(({ headsFrom }) => headsFrom),
      placed.map(({ headsLength }) => headsLength),
      placed.map(({ bodiesFrom }) => bodiesFrom),
      placed.map(({ bodiesLength }) => bodiesLength),
      Buffer.concat(chunks.flatMap(({ heads, bodies }) => [heads, bodies])),
    ],
  });
}

/** Removes what newer calls have taken the place of. Unsigned ones never take the place of a project's own. */
export async function trimProjects(db: Pick<Database, "run">, projectIds: readonly Id[]): Promise<void> {
  await db.run({
    name: "trim_request_log",
    text: `delete from request_log l
            using (select project_id, id, kind,
                          sum(call_count) filter (where kind <> 'unsigned') over newest - call_count as newer,
                          sum(call_count) over newest_of_kind - call_count as newer_of_kind
                     from request_log
                    where project_id = any($1::uuid[])
                   window newest as (partition by project_id order by id desc),
                          newest_of_kind as (partition by project_id, kind order by id desc)) o
            where l.project_id = o.project_id and l.id = o.id
              and (o.kind = 'calls' and o.newer >= $2
                   or o.kind = 'errors' and o.newer_of_kind >= $3
                   or o.kind = 'unsigned' and o.newer_of_kind >= $4)`,
    values: [projectIds, CALLS_KEPT, ERRORS_KEPT, UNSIGNED_KEPT],
  });
}

export async function deleteOldErrors(db: Pick<Database, "run">, days: number): Promise<void> {
  await db.run({
    text: `delete from request_log
            where kind <> 'calls' and written_at < now() - make_interval(days => $1)`,
    values: [days],
  });
}

export type ChunkQuestion = {
  readonly kinds: readonly ChunkKind[];
  /** Those that have calls below this one. */
  readonly below: Id;
  /** Those whose newest call is not below this one. */
  readonly from: Id;
  /** Those whose newest call is below this one. */
  readonly newestBelow: Id;
  readonly limit: number;
};

const COLUMNS = `c.project_id as "projectId", c.id, c.oldest_id as "oldestId", c.kind, c.call_count as "callCount",
  c.missed, c.heads`;

/** The newest first. Each project gives at most `limit`. */
export function listChunks(
  tx: Transaction,
  projectIds: readonly Id[],
  { kinds, below, from, newestBelow, limit }: ChunkQuestion,
): Promise<Chunk[]> {
  return tx.run<Chunk>({
    text: `select ${COLUMNS}
             from unnest($1::uuid[]) as p (id)
            cross join lateral (
                  select * from request_log
                   where project_id = p.id and kind = any($2::text[])
                     and id >= $3 and id < $4 and oldest_id < $5
                   order by id desc limit $6) c
            order by c.id desc limit $6`,
    values: [projectIds, kinds, from, newestBelow, below, limit],
  });
}

/** Those that may have the call: their oldest is not newer than it, and their newest not older. */
export function listChunksAround(
  tx: Transaction,
  projectIds: readonly Id[],
  { callId, newestBelow, limit }: { readonly callId: Id; readonly newestBelow: Id; readonly limit: number },
): Promise<Chunk[]> {
  return tx.run<Chunk>({
    text: `select ${COLUMNS}
             from request_log c
            where c.project_id = any($1::uuid[]) and c.id >= $2 and c.id < $3 and c.oldest_id <= $2
            order by c.id limit $4`,
    values: [projectIds, callId, newestBelow, limit],
  });
}

export async function findBodies(tx: Transaction, { projectId, id }: Pick<Chunk, "projectId" | "id">) {
  const rows = await tx.run<{ bodies: Buffer }>({
    text: "select bodies from request_log where project_id = $1 and id = $2",
    values: [projectId, id],
  });
  return rows[0]?.bodies;
}

/** The label of each key, for those of the merchant's that calls were signed with. */
export function listKeyLabels(tx: Transaction, merchantId: Id, keyIds: readonly Id[]) {
  return tx.run<{ readonly id: Id; readonly label: string }>({
    text: "select id, label from api_keys where merchant_id = $1 and id = any($2::uuid[])",
    values: [merchantId, keyIds],
  });
}
