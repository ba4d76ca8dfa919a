import type { DestinationStream } from "pino";

/** The log for a developer's terminal: one short line for each record. Everywhere else records stay JSON. */
export function humanLog(write: (text: string) => void): DestinationStream {
  return { write: (line) => write(`${humanLine(line)}\n`) };
}

function humanLine(line: string): string {
  const record: Record<string, unknown> = JSON.parse(line);
  const { time, level, msg, method, route, status, ms, code, request_id, project_id, address, ...rest } = record;
  const clock = String(time).slice(11, 19);
  if (route !== undefined) {
    return [clock, String(status), method, route, `${ms} ms`, code ?? "", request_id]
      .filter((part) => part !== "")
      .join("  ");
  }
  const details = Object.entries(rest).map(
    ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return [clock, String(level).toUpperCase(), msg, ...details].filter((part) => part !== undefined).join("  ");
}
