import type { Export } from "../../app/reports/open-export.ts";
import { parseCsv } from "../../core/csv.ts";

/** The lines of a CSV file, by the names of its columns. */
export async function readExport({ parts }: Export): Promise<Record<string, string>[]> {
  let text = "";
  for await (const part of parts) text += part;
  const parsed = parseCsv(text);
  if (!parsed.ok) throw new Error(parsed.error.message);
  const [header, ...records] = parsed.value.map(({ fields }) => fields);
  return records.map((fields) => Object.fromEntries((header ?? []).map((name, place) => [name, fields[place] ?? ""])));
}
