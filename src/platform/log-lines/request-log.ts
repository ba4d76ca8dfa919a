import type { DestinationStream } from "pino";
import { isoTime } from "../log.ts";

/**
 * The log of requests: known members only, so there is nothing to hide, and the line is put together by hand because
 * there is one for every request. The values are ids, numbers, routes and codes of ours; none needs escaping but the
 * address, which may come from a proxy's header.
 */
type RequestLine = {
  readonly requestId: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly projectId: string | undefined;
  readonly code: string | undefined;
  /** Unknown where the caller hung up before the answer. */
  readonly address: string | undefined;
};

/** Load balancers ask every few seconds, and would be most of the log. */
const PROBE_ROUTES: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

function requestLine(line: RequestLine): string {
  const level = PROBE_ROUTES.has(line.route) ? "debug" : "info";
  const project = line.projectId === undefined ? "" : `,"project_id":"${line.projectId}"`;
  const code = line.code === undefined ? "" : `,"code":"${line.code}"`;
  const address = line.address === undefined ? "" : `,"address":${JSON.stringify(line.address)}`;
  return (
    `{"level":"${level}"${isoTime()},"request_id":"${line.requestId}","method":"${line.method}","route":"${line.route}",` +
    `"status":${line.status},"ms":${line.ms.toFixed(2)}${project}${code}${address}}\n`
  );
}

export type LogRequest = (line: RequestLine) => void;

export function openRequestLog(options: {
  readonly enabled: boolean;
  readonly probesToo: boolean;
  readonly destination: DestinationStream;
}): LogRequest {
  if (!options.enabled) return () => undefined;
  return (line) => {
    if (options.probesToo || !PROBE_ROUTES.has(line.route)) options.destination.write(requestLine(line));
  };
}
