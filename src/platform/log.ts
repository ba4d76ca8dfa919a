import { type DestinationStream, type Logger, pino, stdTimeFunctions } from "pino";

export type Log = Logger;

/**
 * Nothing that is logged should hold a secret in the first place: bodies and headers are never logged. The list is the
 * second fence, for an object that somebody passes whole.
 */
const REDACTED_MEMBERS = [
  "secret",
  "password",
  "pan",
  "cvv",
  "cvc",
  "card",
  "receiver",
  "requisites",
  "authorization",
  "cookie",
  "hmac_secret",
  "rsa_private_key_pem",
  "master_key",
  "connectionString",
  "x-access-signature",
  "x-access-token",
];

export type LogLevel = "silent" | "error" | "warn" | "info" | "debug";

export function openLog(options: { level: LogLevel; destination: DestinationStream }): Log {
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: REDACTED_MEMBERS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
        censor: "[redacted]",
      },
    },
    options.destination,
  );
}
