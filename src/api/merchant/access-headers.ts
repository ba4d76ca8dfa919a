import { type Fault, fault } from "../../core/errors.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { ALGORITHM_WHEN_ABSENT, type Algorithm, findAlgorithm } from "../../platform/signing.ts";

/** The five headers that every merchant call carries, and the optional sixth. */
export type AccessHeaders = {
  readonly timestamp: string;
  readonly merchantId: string;
  readonly token: string;
  readonly signature: string;
  /** Undefined: one that we do not know. */
  readonly algorithm: Algorithm | undefined;
};

const REQUIRED = [
  "x-access-timestamp",
  "x-access-merchant-id",
  "x-access-token",
  "x-access-signature",
  "content-type",
] as const;
const ALGORITHM_HEADER = "x-access-merchant-algorithm";

const NAMES: ReadonlySet<string> = new Set([...REQUIRED, ALGORITHM_HEADER]);
/** Most headers of a request are others, and their length tells so at once. */
const NAME_LENGTHS: ReadonlySet<number> = new Set([...NAMES].map((name) => name.length));

/** Reads the raw list, since Node joins or drops doubled headers in its parsed one. */
export function readAccessHeaders(rawHeaders: readonly string[]): Result<AccessHeaders, Fault> {
  const values = new Map<string, string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const rawName = rawHeaders[index] ?? "";
    if (!NAME_LENGTHS.has(rawName.length)) continue;
    const name = rawName.toLowerCase();
    if (!NAMES.has(name)) continue;
    if (values.has(name)) return fail(fault("auth_header_missing", `the header ${name} is there twice`));
    values.set(name, rawHeaders[index + 1] ?? "");
  }
  const missing = REQUIRED.filter((name) => !values.get(name));
  if (missing.length > 0) return fail(fault("auth_header_missing", `these headers are missing: ${missing.join(", ")}`));
  const algorithm = values.get(ALGORITHM_HEADER) ?? ALGORITHM_WHEN_ABSENT;
  return ok({
    timestamp: values.get("x-access-timestamp") ?? "",
    merchantId: values.get("x-access-merchant-id") ?? "",
    token: values.get("x-access-token") ?? "",
    signature: values.get("x-access-signature") ?? "",
    algorithm: findAlgorithm(algorithm),
  });
}

const TIMESTAMP = /^[0-9]{10}$/;

export function checkTimestamp(timestamp: string, nowMs: number, windowS: number): Fault | undefined {
  if (!TIMESTAMP.test(timestamp)) {
    return fault("timestamp_invalid", "x-access-timestamp must be Unix time in seconds, ten digits");
  }
  const offS = Number(timestamp) - nowMs / 1000;
  if (Math.abs(offS) <= windowS) return undefined;
  const side = offS > 0 ? "ahead of" : "behind";
  return fault(
    "timestamp_out_of_window",
    `x-access-timestamp is ${Math.round(Math.abs(offS))} s ${side} the server's clock; at most ${windowS} s are accepted`,
  );
}
