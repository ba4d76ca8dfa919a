/**
 * The text of an array for PostgreSQL, as the library writes it. A batch has hundreds of items, and most need no escape: an id takes
 * half of the library's time, a number a sixth.
 */
export function arrayText(items: readonly unknown[]): string {
  let text = "{";
  for (let index = 0; index < items.length; index += 1) {
    if (index > 0) text += ",";
    text += itemText(items[index]);
  }
  return `${text}}`;
}

function itemText(item: unknown): string {
  switch (typeof item) {
    case "string":
      return quoted(item);
    case "number":
    case "bigint":
    case "boolean":
      return String(item);
    case "undefined":
      return "NULL";
    default:
      return objectText(item as object | null);
  }
}

function objectText(item: object | null): string {
  if (item === null) return "NULL";
  if (item instanceof Date) return `"${item.toISOString()}"`;
  if (Array.isArray(item)) return arrayText(item);
  if (Buffer.isBuffer(item)) return `"\\\\x${item.toString("hex")}"`;
  return quoted(JSON.stringify(item));
}

function quoted(text: string): string {
  const needsEscapes = text.includes('"') || text.includes("\\");
  return needsEscapes ? `"${text.replace(/\\/g, "\\\\").replace(/"/g, '\\"')}"` : `"${text}"`;
}
