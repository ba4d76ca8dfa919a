/** A function of a text alone, whose latest results are remembered, at most so many. */
export function remembering<T>(keptMax: number, of: (text: string) => T): (text: string) => T {
  const kept = new Map<string, T>();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const made = of(text);
    const [oldest] = kept.keys();
    if (kept.size >= keptMax && oldest !== undefined) kept.delete(oldest);
    kept.set(text, made);
    return made;
  };
}
