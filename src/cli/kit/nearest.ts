/** What a person probably meant: the candidate that is few letters away; undefined when none is close. */
export function findNearest(word: string, candidates: readonly string[]): string | undefined {
  const distanceMax = Math.min(DISTANCE_MAX, Math.floor(word.length / LETTERS_PER_FAULT));
  const [nearest] = candidates
    .map((candidate) => ({ candidate, distance: distanceOf(word.slice(0, LETTERS_READ), candidate) }))
    .filter(({ distance }) => distance <= distanceMax)
    .toSorted((a, b) => a.distance - b.distance);
  return nearest?.candidate;
}

/** `Did you mean payin?`, with a space before it; nothing when no candidate is close. */
export function suggestion(word: string, candidates: readonly string[]): string {
  const nearest = findNearest(word, candidates);
  return nearest === undefined ? "" : ` Did you mean ${nearest}?`;
}

const DISTANCE_MAX = 3;
/** A short word with two wrong letters is another word. */
const LETTERS_PER_FAULT = 3;
/** No name is longer; what a person pasted may be. */
const LETTERS_READ = 80;

/** Letters to add, leave out, change or swap with their neighbour. */
function distanceOf(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const changed = (last[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const swapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
          ? (beforeLast[column - 2] ?? 0) + 1
          : changed;
      current.push(Math.min(changed, swapped, (last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
