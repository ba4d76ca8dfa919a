import { randomFillSync } from "node:crypto";
import { type Id, uuidv7 } from "../core/ids.ts";

const RANDOM_BYTES_PER_ID = 10;
const IDS_PER_REFILL = 512;

const pool = new Uint8Array(RANDOM_BYTES_PER_ID * IDS_PER_REFILL);
let used = pool.length;

/** A new UUIDv7. Random bytes come from a pool, because asking the system for each id costs more than the id. */
export function newId(nowMs: number = Date.now()): Id {
  if (used >= pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.subarray(used, used + RANDOM_BYTES_PER_ID);
  used += RANDOM_BYTES_PER_ID;
  return uuidv7(nowMs, random);
}
