/** How many tokens a bucket holds at most, and how fast it fills. */
export type BucketSize = { readonly perSecond: number; readonly burst: number };

export type TokenBuckets = {
  /** Takes one token. Zero: taken; otherwise the milliseconds until there will be one. */
  readonly take: (name: string, size: BucketSize, nowMs: number) => number;
  /** Gives back a token that turned out not to be owed. */
  readonly refund: (name: string, size: BucketSize) => void;
};

type Bucket = { tokens: number; atMs: number };

/**
 * Token buckets by name, in memory. When there are too many, the one that was used least recently is forgotten, which
 * can only err in favour of the caller: a forgotten bucket is a full one.
 */
export function openTokenBuckets(bucketsMax: number): TokenBuckets {
  const buckets = new Map<string, Bucket>();

  function refill(name: string, size: BucketSize, nowMs: number): Bucket {
    const bucket = buckets.get(name) ?? { tokens: size.burst, atMs: nowMs };
    const gained = (Math.max(0, nowMs - bucket.atMs) / 1000) * size.perSecond;
    bucket.tokens = Math.min(size.burst, bucket.tokens + gained);
    bucket.atMs = nowMs;
    return bucket;
  }

  function remember(name: string, bucket: Bucket): void {
    buckets.delete(name);
    buckets.set(name, bucket);
    if (buckets.size <= bucketsMax) return;
    for (const oldest of buckets.keys()) {
      buckets.delete(oldest);
      break;
    }
  }

  function waitMs(bucket: Bucket, size: BucketSize): number {
    return bucket.tokens >= 1 ? 0 : Math.ceil(((1 - bucket.tokens) / size.perSecond) * 1000);
  }

  return {
    take: (name, size, nowMs) => {
      const bucket = refill(name, size, nowMs);
      const wait = waitMs(bucket, size);
      if (wait === 0) bucket.tokens -= 1;
      remember(name, bucket);
      return wait;
    },
    refund: (name, size) => {
      const bucket = buckets.get(name);
      if (bucket !== undefined) bucket.tokens = Math.min(size.burst, bucket.tokens + 1);
    },
  };
}
