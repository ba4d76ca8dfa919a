import { resolve } from "node:path";
import { isAddressOrNetwork } from "./core/merchants/network.ts";
import { findEmail } from "./core/people/email.ts";
import { fail, ok, type Result } from "./core/result.ts";
import type { LogLevel } from "./platform/log.ts";
import { parsePostgresUrl } from "./platform/postgres/postgres-url.ts";
import { Secret } from "./platform/secret.ts";
import { readSecretFile } from "./platform/secret-file.ts";

/** The only reader of the environment. It lists every fault at once, so that an operator can fix all of them. */
type Mode = "development" | "production";

export type Config = {
  readonly mode: Mode;
  readonly host: string;
  readonly port: number;
  /** Where merchants reach us; undefined in development until the port is known. */
  readonly publicUrl: string | undefined;
  /** Absent: the embedded server of development mode. */
  readonly databaseUrl: Secret<string> | undefined;
  /** Past a pooler that `databaseUrl` leads to, for what needs a session of its own; absent: there is no pooler. */
  readonly databaseDirectUrl: Secret<string> | undefined;
  readonly databaseConnectionsMax: number;
  /** Whether a process that starts migrates the schema; off: it waits until `tillgate migrate` has. */
  readonly migrates: boolean;
  /** A read replica that answers the lists of the account; absent: the database itself does. */
  readonly readDatabaseUrl: Secret<string> | undefined;
  /** Where the sandbox keeps its books when the database is not the embedded one; absent: there is no sandbox. */
  readonly sandboxDatabaseUrl: Secret<string> | undefined;
  /** Absent in development: made at the first start and kept in the state directory. */
  readonly masterKey: Secret<Buffer> | undefined;
  readonly previousMasterKey: Secret<Buffer> | undefined;
  readonly stateDir: string;
  readonly logLevel: LogLevel;
  /** Whether merchants' calls are kept for their developers. */
  readonly requestLog: boolean;
  readonly signatureWindowS: number;
  readonly trustedProxies: readonly string[];
  readonly metricsAllow: readonly string[];
  readonly authFailuresBurst: number;
  readonly authFailuresPerSecond: number;
  /** So long a request waits for everything together. */
  readonly requestDeadlineMs: number;
  /** Where e-mail is handed in; absent: none is sent, and links are shown instead. */
  readonly smtpUrl: Secret<string> | undefined;
  /** Who e-mail is from; absent: an address at the public URL's host. */
  readonly mailFrom: string | undefined;
  /** Where messages about `attention` go. */
  readonly alerts: AlertConfig;
  /** Who runs this service, as payers read it on the payment page; absent: it is not said. */
  readonly operatorName: string | undefined;
};

type AlertConfig = {
  readonly emails: readonly string[];
  /** Often holds a token. */
  readonly webhookUrl: Secret<string> | undefined;
  readonly webhookSecret: Secret<Buffer> | undefined;
};

/** Where the embedded server of development mode keeps its data; undefined with a database at DATABASE_URL. */
export function embeddedDir({ databaseUrl, stateDir }: Pick<Config, "databaseUrl" | "stateDir">): string | undefined {
  return databaseUrl === undefined ? stateDir : undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;
type Reader = { readonly env: Environment; readonly workingDir: string; readonly faults: string[] };

const LOG_LEVELS = ["silent", "error", "warn", "info", "debug"] as const;
const MASTER_KEY_BYTES = 32;

export function loadConfig(env: Environment, workingDir: string): Result<Config, readonly string[]> {
  const reader: Reader = { env, workingDir, faults: [] };
  const mode = readOneOf(reader, "TILLGATE_MODE", ["development", "production"] as const, "development");
  const production = mode === "production";
  const config: Config = {
    mode,
    host: env.HOST || (production ? "0.0.0.0" : "127.0.0.1"),
    port: readInteger(reader, "PORT", 8080, 0, 65_535),
    publicUrl: readPublicUrl(reader, production),
    databaseUrl: readPostgresUrl(reader, "DATABASE_URL", production ? DATABASE_URL_WANTED : undefined),
    databaseDirectUrl: readDirectUrl(reader),
    readDatabaseUrl: readPostgresUrl(reader, "TILLGATE_READ_DATABASE_URL"),
    sandboxDatabaseUrl: readPostgresUrl(reader, "TILLGATE_SANDBOX_DATABASE_URL"),
    databaseConnectionsMax: readInteger(reader, "TILLGATE_DATABASE_CONNECTIONS", 10, 2, 200),
    migrates: readOneOf(reader, "TILLGATE_MIGRATE", ["auto", "off"] as const, "auto") === "auto",
    masterKey: readMasterKey(reader, "TILLGATE_MASTER_KEY", production ? MASTER_KEY_WANTED : undefined),
    previousMasterKey: readMasterKey(reader, "TILLGATE_MASTER_KEY_PREVIOUS"),
    stateDir: resolve(workingDir, env.TILLGATE_DATA_DIR || ".tillgate"),
    logLevel: readOneOf(reader, "TILLGATE_LOG_LEVEL", LOG_LEVELS, "info"),
    requestLog: readOneOf(reader, "TILLGATE_REQUEST_LOG", ["on", "off"] as const, "on") === "on",
    signatureWindowS: readInteger(reader, "TILLGATE_SIGNATURE_WINDOW_S", 300, 10, 86_400),
    trustedProxies: readTrustedProxies(reader, production),
    metricsAllow: readNetworks(reader, "TILLGATE_METRICS_ALLOW", ["127.0.0.0/8", "::1/128"]),
    authFailuresBurst: readInteger(reader, "TILLGATE_AUTH_FAILURES_BURST", 100, 1, 1_000_000),
    authFailuresPerSecond: readInteger(reader, "TILLGATE_AUTH_FAILURES_PER_SECOND", 2, 1, 1_000_000),
    requestDeadlineMs: readInteger(reader, "TILLGATE_REQUEST_DEADLINE_MS", 5_000, 1_000, 60_000),
    smtpUrl: readSmtpUrl(reader),
    mailFrom: readMailFrom(reader),
    alerts: readAlerts(reader),
    operatorName: readOperatorName(reader),
  };
  return reader.faults.length === 0 ? ok(config) : fail(reader.faults);
}

function readOneOf<T extends string>(reader: Reader, name: string, allowed: readonly T[], otherwise: T): T {
  const text = reader.env[name];
  if (text === undefined || text === "") return otherwise;
  const found = allowed.find((value) => value === text);
  if (found === undefined) reader.faults.push(`${name} must be one of ${allowed.join(", ")}; it is "${text}"`);
  return found ?? otherwise;
}

function readInteger(reader: Reader, name: string, otherwise: number, min: number, max: number): number {
  const text = reader.env[name];
  if (text === undefined || text === "") return otherwise;
  const value = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  reader.faults.push(`${name} must be a whole number from ${min} to ${max}; it is "${text}"`);
  return otherwise;
}

function readPublicUrl(reader: Reader, production: boolean): string | undefined {
  const text = reader.env.TILLGATE_PUBLIC_URL;
  if (text === undefined || text === "") {
    if (production)
      reader.faults.push("TILLGATE_PUBLIC_URL is missing: the https address that merchants reach this service at");
    return undefined;
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const schemes = production ? ["https:"] : ["https:", "http:"];
  if (
    url === undefined ||
    !schemes.includes(url.protocol) ||
    url.search !== "" ||
    url.hash !== "" ||
    url.username !== ""
  ) {
    reader.faults.push(
      `TILLGATE_PUBLIC_URL must be an ${production ? "https" : "http or https"} address without query; it is "${text}"`,
    );
    return undefined;
  }
  return url.href.replace(/\/+$/, "");
}

const DATABASE_URL_WANTED = "postgresql://user:password@host:5432/name (PostgreSQL 14 or newer)";
const MASTER_KEY_WANTED = "32 random bytes in hex, for example from: openssl rand -hex 32";

function readPostgresUrl(reader: Reader, name: string, wanted?: string): Secret<string> | undefined {
  const given = readSecretSetting(reader, name, wanted);
  if (given === undefined) return undefined;
  const parsed = parsePostgresUrl(given.text);
  if (parsed.ok) return new Secret(given.text);
  // The text may hold a password, so no fault ever repeats it.
  reader.faults.push(`${given.from} ${parsed.error}`);
  return undefined;
}

function readDirectUrl(reader: Reader): Secret<string> | undefined {
  const name = "DATABASE_DIRECT_URL";
  const url = readPostgresUrl(reader, name);
  const { DATABASE_URL, DATABASE_URL_FILE } = reader.env;
  if (url !== undefined && !DATABASE_URL && !DATABASE_URL_FILE)
    reader.faults.push(`${name} is set without DATABASE_URL, which it leads past the pooler of`);
  return url;
}

function readMasterKey(reader: Reader, name: string, wanted?: string): Secret<Buffer> | undefined {
  const given = readSecretSetting(reader, name, wanted);
  if (given === undefined) return undefined;
  if (/^[0-9a-fA-F]{64}$/.test(given.text)) return new Secret(Buffer.from(given.text, "hex"));
  reader.faults.push(`${given.from} must be ${MASTER_KEY_BYTES} bytes in hex (64 characters)`);
  return undefined;
}

function readSmtpUrl(reader: Reader): Secret<string> | undefined {
  const given = readSecretSetting(reader, "TILLGATE_SMTP_URL", undefined);
  if (given === undefined) return undefined;
  const url = URL.canParse(given.text) ? new URL(given.text) : undefined;
  if (url !== undefined && ["smtp:", "smtps:"].includes(url.protocol) && url.hostname !== "")
    return new Secret(given.text);
  // The text may hold a password, so no fault ever repeats it.
  reader.faults.push(`${given.from} must be smtp://user:password@host:587 or smtps://user:password@host:465`);
  return undefined;
}

function readMailFrom(reader: Reader): string | undefined {
  const text = reader.env.TILLGATE_MAIL_FROM?.trim();
  if (text === undefined || text === "") return undefined;
  const email = findEmail(text);
  if (email === undefined) reader.faults.push(`TILLGATE_MAIL_FROM must be an e-mail address; it is "${text}"`);
  return email;
}

const ALERT_EMAILS_MAX = 20;
const WEBHOOK_SECRET_BYTES_MIN = 16;

function readAlerts(reader: Reader): AlertConfig {
  const { env, faults } = reader;
  const texts = (env.TILLGATE_ALERT_EMAIL ?? "").split(",").map((text) => text.trim());
  const wanted = texts.filter((text) => text !== "");
  const emails = wanted.flatMap((text) => findEmail(text) ?? []);
  if (emails.length < wanted.length || emails.length > ALERT_EMAILS_MAX)
    faults.push(`TILLGATE_ALERT_EMAIL must list at most ${ALERT_EMAILS_MAX} e-mail addresses with commas between them`);
  if (wanted.length > 0 && !env.TILLGATE_SMTP_URL && !env.TILLGATE_SMTP_URL_FILE)
    faults.push("TILLGATE_ALERT_EMAIL needs TILLGATE_SMTP_URL: the mail server that the messages are handed to");
  const webhookUrl = readAlertUrl(reader);
  const webhookSecret = readWebhookSecret(reader);
  if (webhookSecret !== undefined && webhookUrl === undefined)
    faults.push("TILLGATE_ALERT_WEBHOOK_SECRET needs TILLGATE_ALERT_WEBHOOK_URL");
  return { emails, webhookUrl, webhookSecret };
}

function readAlertUrl(reader: Reader): Secret<string> | undefined {
  const given = readSecretSetting(reader, "TILLGATE_ALERT_WEBHOOK_URL", undefined);
  if (given === undefined) return undefined;
  const url = URL.canParse(given.text) ? new URL(given.text) : undefined;
  if (url !== undefined && ["https:", "http:"].includes(url.protocol) && url.username === "" && url.hash === "")
    return new Secret(given.text);
  // The text may hold a token, so no fault ever repeats it.
  reader.faults.push(`${given.from} must be an https or http address without a user and a fragment`);
  return undefined;
}

function readWebhookSecret(reader: Reader): Secret<Buffer> | undefined {
  const given = readSecretSetting(reader, "TILLGATE_ALERT_WEBHOOK_SECRET", undefined);
  if (given === undefined) return undefined;
  const [, base64] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(given.text) ?? [];
  const key = Buffer.from(base64 ?? "", "base64");
  if (key.length >= WEBHOOK_SECRET_BYTES_MIN) return new Secret(key);
  reader.faults.push(`${given.from} must be whsec_ and ${WEBHOOK_SECRET_BYTES_MIN} bytes or more in base64`);
  return undefined;
}

const OPERATOR_NAME_MAX = 128;

function readOperatorName({ env, faults }: Reader): string | undefined {
  const name = env.TILLGATE_OPERATOR_NAME?.trim();
  if (name === undefined || name === "") return undefined;
  if (name.length <= OPERATOR_NAME_MAX && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name)) return name;
  faults.push(`TILLGATE_OPERATOR_NAME must be plain text of at most ${OPERATOR_NAME_MAX} characters`);
  return undefined;
}

type SecretSetting = { readonly text: string; readonly from: string };

/** From the environment, or from the file that NAME_FILE leads to. With both it would be a guess which one is meant. */
function readSecretSetting(reader: Reader, name: string, wanted: string | undefined): SecretSetting | undefined {
  const fileName = `${name}_FILE`;
  const text = reader.env[name] ?? "";
  const path = reader.env[fileName] ?? "";
  if (text !== "" && path !== "") {
    reader.faults.push(`${name} and ${fileName} are both set: keep one of them`);
    return undefined;
  }
  if (text !== "") return { text, from: name };
  if (path === "") {
    if (wanted !== undefined) reader.faults.push(`${name} (or ${fileName}) is missing: ${wanted}`);
    return undefined;
  }
  const read = readSecretFile(resolve(reader.workingDir, path));
  if (read.ok) return { text: read.value, from: `The file in ${fileName}` };
  reader.faults.push(`The file in ${fileName} ${read.error}`);
  return undefined;
}

/** Without its proxy's address a service takes all callers for one, so production demands a word on it. */
function readTrustedProxies(reader: Reader, production: boolean): readonly string[] {
  const name = "TILLGATE_TRUSTED_PROXIES";
  const text = reader.env[name]?.trim();
  if (text === NO_PROXIES) return [];
  if (text !== undefined && text !== "") return readNetworks(reader, name, []);
  if (production)
    reader.faults.push(`${name} is missing: the addresses of the proxies in front of this service, or ${NO_PROXIES}`);
  return [];
}

const NO_PROXIES = "none";

function readNetworks(reader: Reader, name: string, otherwise: readonly string[]): readonly string[] {
  const text = reader.env[name];
  if (text === undefined) return otherwise;
  const networks = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  for (const network of networks) {
    if (!isAddressOrNetwork(network)) {
      reader.faults.push(`${name} must list addresses or networks such as 10.0.0.0/8; "${network}" is neither`);
    }
  }
  return networks;
}
