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

/** `7d`, `12h`, `30min`, `45s` in seconds; undefined where it is something else. */
export function findDuration(text: string): number | undefined {
  const [, count, unit] = /^([0-9]{1,6})(d|h|min|s)$/.exec(text) ?? [];
  const found = UNITS.find(({ name }) => name === unit);
  return found === undefined ? undefined : Number(count) * found.seconds;
}

export function secondsBetween(earlier: Date, later: Date): number {
  return (later.getTime() - earlier.getTime()) / 1000;
}

/** `in 5 min`, `3 s ago`. */
export function showDistance(instant: Date, now: Date): string {
  const seconds = secondsBetween(now, instant);
  return seconds >= 0 ? `in ${showDuration(seconds)}` : `${showDuration(-seconds)} ago`;
}
