/**
 * Writes a record of a CSV file as RFC 4180 has it. Programs for tables take a cell that begins with one of these for a
 * formula: an apostrophe before it makes it text, so that no name can run as a formula.
 */
const FORMULA = /^[=+\-@\t\r]/;
const TO_QUOTE = /[",;\r\n]/;

export function writeCsvRecord(cells: readonly string[]): string {
  return `${cells.map(writeCell).join(",")}\r\n`;
}

function writeCell(cell: string): string {
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return TO_QUOTE.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
