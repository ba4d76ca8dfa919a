/** A value of JSON as strict reading gives it: numbers are integers. */
export type CanonicalValue = string | number | boolean | null | readonly CanonicalValue[] | CanonicalObject;
export type CanonicalObject = { readonly [member: string]: CanonicalValue };

/**
 * One text for each value: members sorted by code unit at any depth, no blanks. Two values are equal exactly when their
 * texts are. `leaveOut` names members by their path, such as `card.cvv`: they count for nothing, there or not there.
 */
export function canonicalJson(value: CanonicalValue, leaveOut: readonly string[] = []): string {
  return write(
    value,
    leaveOut.map((path) => path.split(".")),
  );
}

type Paths = readonly (readonly string[])[];

function write(value: CanonicalValue, leaveOut: Paths): string {
  if (isList(value)) return `[${value.map((item) => write(item, [])).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([name, member]) => {
      const below = leaveOut.filter(([first]) => first === name).map(([, ...rest]) => rest);
      if (below.some((path) => path.length === 0)) return [];
      return [`${JSON.stringify(name)}:${write(member, below)}`];
    });
  return `{${members.join(",")}}`;
}

/** `Array.isArray` does not see that a read-only list is one. */
function isList(value: CanonicalValue): value is readonly CanonicalValue[] {
  return Array.isArray(value);
}
