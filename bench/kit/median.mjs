/** Of an even count the upper one. */
export function median(figures) {
  const known = figures.filter((figure) => figure !== undefined);
  return known.toSorted((one, other) => one - other)[Math.floor(known.length / 2)];
}
