/**
 * Reads the members of a JSON object that this service wrote and sealed. A text that is not one is a bug, and its error
 * says nothing of the text, which the platform's own error would quote.
 */
export function readSealedMembers(text: string): (name: string) => string | undefined {
  const value = parse(text);
  if (typeof value !== "object" || value === null) throw new Error("the sealed text is not a JSON object");
  const members = new Map<string, unknown>(Object.entries(value));
  return (name) => {
    const member = members.get(name);
    return typeof member === "string" ? member : undefined;
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
