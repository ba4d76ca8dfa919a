/** Spans of time for people: the two largest units, cut off, never rounded up. */
const UNITS = [
  { name: "d", seconds: 86_400 },
  { name: "h", seconds: 3_600 },
  { name: "min", seconds: 60 },
  { name: "s", seconds: 1 },
] as const;

export function showDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const first = UNITS.findIndex((unit) => whole >= unit.seconds);
  if (first === -1) return "0 s";
  const parts: string[] = [];
  let rest = whole;
  for (const { name, seconds: size } of UNITS.slice(first, first + 2)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${name}`);
  }
  return parts.join(" ");
}

export function secondsBetween(earlier: Date, later: Date): number {
  return (later.getTime() - earlier.getTime()) / 1000;
}

/** `in 5 min`, `3 s ago`. */
export function showDistance(instant: Date, now: Date): string {
  const seconds = secondsBetween(now, instant);
  return seconds >= 0 ? `in ${showDuration(seconds)}` : `${showDuration(-seconds)} ago`;
}
