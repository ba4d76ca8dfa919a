/** True for so long from now. */
export function within(ms: number): () => boolean {
  const endMs = performance.now() + ms;
  return () => performance.now() < endMs;
}
