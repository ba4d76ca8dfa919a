import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { normalPassword } from "../../core/people/password-rules.ts";
import { openAtMost } from "../../platform/at-most.ts";

/** Hashing passwords by scrypt, on Node's worker threads and never so much of it that payments would notice. */
export type Passwords = {
  /** Undefined when too many wait already: the caller is asked to try again. */
  readonly hash: (password: string) => Promise<string | undefined>;
  /** A login without a password, or one that does not exist, costs the same as a wrong password. */
  readonly verify: (password: string, hash: string | null) => Promise<"right" | "wrong" | "busy">;
  /** Whether a hash was made with other costs than those of today. */
  readonly isOutdated: (hash: string) => boolean;
};

export type PasswordCost = { readonly log2n: number; readonly blockSize: number; readonly parallel: number };

/** One of the sets that OWASP lists as equal in strength: 32 MiB and a third of a second here, where 2^17 takes 128 MiB. */
const COST: PasswordCost = { log2n: 15, blockSize: 8, parallel: 3 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** One hash at a time, and a pause as long as the hash while others wait: a flood of sign-ins takes half a core at most. */
const AT_ONCE_MAX = 1;
const WAITING_MAX = 20;

export function openPasswords(cost: PasswordCost = COST): Passwords {
  const inTurn = openAtMost(AT_ONCE_MAX);
  let waiting = 0;
  const decoy = { cost, salt: randomBytes(SALT_BYTES), hash: randomBytes(HASH_BYTES) };

  async function derived(password: string, wanted: PasswordCost, salt: Buffer): Promise<Buffer | undefined> {
    if (waiting >= WAITING_MAX) return undefined;
    waiting += 1;
    try {
      return await inTurn(async () => {
        const startedMs = performance.now();
        const key = await derive(normalPassword(password), wanted, salt);
        if (waiting > 1) await sleep(performance.now() - startedMs);
        return key;
      });
    } finally {
      waiting -= 1;
    }
  }

  return {
    hash: async (password) => {
      const salt = randomBytes(SALT_BYTES);
      const key = await derived(password, cost, salt);
      return key === undefined ? undefined : write({ cost, salt, hash: key });
    },
    verify: async (password, stored) => {
      const known = stored === null ? undefined : read(stored);
      const { cost: wanted, salt, hash } = known ?? decoy;
      const key = await derived(password, wanted, salt);
      if (key === undefined) return "busy";
      return timingSafeEqual(key, hash) && known !== undefined ? "right" : "wrong";
    },
    isOutdated: (stored) => {
      const { log2n, blockSize, parallel } = read(stored).cost;
      return log2n !== cost.log2n || blockSize !== cost.blockSize || parallel !== cost.parallel;
    },
  };
}

type StoredHash = { readonly cost: PasswordCost; readonly salt: Buffer; readonly hash: Buffer };

function write({ cost, salt, hash }: StoredHash): string {
  const parts = [cost.log2n, cost.blockSize, cost.parallel, salt.toString("base64url"), hash.toString("base64url")];
  return `scrypt$${parts.join("$")}`;
}

function read(stored: string): StoredHash {
  const [scheme, log2n, blockSize, parallel, salt = "", hash = ""] = stored.split("$");
  if (scheme !== "scrypt") throw new Error("a password was hashed by an unknown scheme");
  return {
    cost: { log2n: Number(log2n), blockSize: Number(blockSize), parallel: Number(parallel) },
    salt: Buffer.from(salt, "base64url"),
    hash: Buffer.from(hash, "base64url"),
  };
}

const BYTES_OF_BLOCK = 128;

function derive(password: string, { log2n, blockSize, parallel }: PasswordCost, salt: Buffer): Promise<Buffer> {
  const options = { N: 2 ** log2n, r: blockSize, p: parallel };
  // Twice what the algorithm needs: Node refuses a limit that is merely enough.
  const maxmem = 2 * BYTES_OF_BLOCK * blockSize * (options.N + parallel);
  return new Promise((resolve, reject) => {
    scrypt(password, salt, HASH_BYTES, { ...options, maxmem }, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
