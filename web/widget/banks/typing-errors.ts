/** So many wrong keys are forgiven in a word of this length: a short word with one is another word. */
function forgivenIn(typed: string): number {
  if (typed.length < 4) return 0;
  return typed.length < 7 ? 1 : 2;
}

/**
 * How many letters were left out, added, replaced or swapped with their neighbour, to type the beginning of `name`; undefined when
 * there are too many of them. A payer stops typing before the end, so the rest of the name does not count.
 */
export function countErrors(typed: string, name: string): number | undefined {
  const width = name.length + 1;
  let before: number[] = [];
  let last = Array.from({ length: width }, (_, column) => column);
  for (let row = 1; row <= typed.length; row += 1) {
    const next = [row];
    for (let column = 1; column < width; column += 1) {
      const isSame = typed[row - 1] === name[column - 1];
      const isSwapped = row > 1 && typed[row - 1] === name[column - 2] && typed[row - 2] === name[column - 1];
      const swapped = isSwapped ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY;
      next[column] = Math.min(
        at(last, column - 1) + (isSame ? 0 : 1),
        at(last, column) + 1,
        at(next, column - 1) + 1,
        swapped,
      );
    }
    before = last;
    last = next;
  }
  const fewest = Math.min(...last);
  return fewest <= forgivenIn(typed) ? fewest : undefined;
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
