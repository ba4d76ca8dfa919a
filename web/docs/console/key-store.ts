import { useEffect, useState } from "preact/hooks";
import type { SigningKey } from "./signing/keys.ts";

/** Who signs. It is in this module's memory and nowhere else: a reload forgets it. */
export type LoadedKey = {
  readonly merchantId: string;
  readonly projectId: string;
  readonly rsa?: SigningKey;
  readonly hmac?: SigningKey;
};

let current: LoadedKey | undefined;
const listeners = new Set<() => void>();

export function setKey(key: LoadedKey | undefined): void {
  current = key;
  for (const listener of listeners) listener();
}

export function useKey(): LoadedKey | undefined {
  const [, redraw] = useState(0);
  useEffect(() => {
    const listener = () => redraw((count) => count + 1);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return current;
}
