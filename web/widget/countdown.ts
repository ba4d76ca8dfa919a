import { useEffect, useState } from "preact/hooks";
import type { View } from "./view.ts";

/** A moment of the server's clock, and of the browser's own stopwatch, which no wrong clock disturbs. */
export type Reading = { readonly serverMs: number; readonly watchMs: number };

export function readClock({ server_time }: Pick<View, "server_time">): Reading {
  return { serverMs: Date.parse(server_time), watchMs: performance.now() };
}

export function serverNowMs({ serverMs, watchMs }: Reading): number {
  return serverMs + performance.now() - watchMs;
}

const TICK_MS = 250;

/** Whole seconds that are left, never below zero. */
export function useSecondsLeft(until: string | null, reading: Reading): number {
  const leftNow = () =>
    until === null ? 0 : Math.max(0, Math.ceil((Date.parse(until) - serverNowMs(reading)) / 1_000));
  const [left, setLeft] = useState(leftNow);
  useEffect(() => {
    setLeft(leftNow());
    const timer = setInterval(() => setLeft(leftNow()), TICK_MS);
    return () => clearInterval(timer);
  }, [until, reading]);
  return left;
}

export function clockText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
