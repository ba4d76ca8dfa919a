import { fail, ok, type Result } from "../../core/result.ts";

/**
 * A URL of PostgreSQL, as libpq reads it: `postgresql://user:password@host1:5432,host2/database?target_session_attrs=read-write`.
 * The URL class of Node refuses a list of hosts, and so does `pg`. It has no part of the environment in it.
 */
export type PostgresUrl = {
  /** At least one. An empty host is the one that `pg` connects to without being told: PGHOST, or this machine. */
  readonly servers: readonly ServerPlace[];
  readonly role: WantedRole;
  /** The longest that one server may take to answer; undefined: the caller's limit alone. */
  readonly connectTimeoutMs: number | undefined;
  /** For `pg`, with one of the servers. */
  readonly urlOf: (server: ServerPlace) => string;
};

export type ServerPlace = { readonly host: string; readonly port: number | undefined };
export type WantedRole = (typeof ROLES)[number];

const ROLES = ["any", "read-write", "read-only", "primary", "standby", "prefer-standby"] as const;
const SSL_MODES = ["disable", "prefer", "require", "verify-ca", "verify-full", "no-verify"];
const PORT_MAX = 65_535;
const ENCODE = "write the characters / ? % @ : and , of a user name or password as %2F %3F %25 %40 %3A and %2C";

/** The error says what is wrong, to be read after the setting's name. It never repeats the text, which may hold a password. */
export function parsePostgresUrl(text: string): Result<PostgresUrl, string> {
  try {
    return ok(parse(text));
  } catch (error) {
    if (error instanceof UrlFault) return fail(error.message);
    throw error;
  }
}

class UrlFault extends Error {}

function parse(text: string): PostgresUrl {
  const [, authority, path = "", query = ""] =
    /^postgres(?:ql)?:\/\/([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/s.exec(text) ?? [];
  if (authority === undefined) throw new UrlFault("must begin with postgresql://");
  const at = authority.lastIndexOf("@");
  if (at < 0 && path.includes("@")) throw new UrlFault(`has its "@" after a "/": ${ENCODE}`);
  const [user, password] = splitOnce(authority.slice(0, Math.max(at, 0)), ":");
  const parameters = readParameters(query);
  const take = (name: string): string | undefined => {
    const value = parameters.get(name);
    parameters.delete(name);
    return value === "" ? undefined : value;
  };
  refuseUnsupported(parameters);
  const servers = readServers(authority.slice(at + 1), take("host"), take("port"));
  const role = readRole(take("target_session_attrs"));
  const connectTimeoutMs = readConnectTimeout(take("connect_timeout"));
  const sslMode = parameters.get("sslmode");
  if (sslMode !== undefined && !SSL_MODES.includes(sslMode))
    throw new UrlFault(`has an sslmode that is none of ${SSL_MODES.join(", ")}`);
  const database = take("dbname") ?? decode(path);
  // `pg` would take them for the beginning of the next part of the URL.
  if (/[?#]/.test(database)) throw new UrlFault('has a database name with "?" or "#" in it');
  const all = [
    ["user", take("user") ?? decode(user)],
    ["password", take("password") ?? decode(password)],
    ...parameters,
  ].filter(([, value]) => value !== "") as [string, string][];
  const urlOf = ({ host, port }: ServerPlace) => {
    const place: [string, string][] = host === "" ? [] : [["host", host]];
    if (port !== undefined) place.push(["port", String(port)]);
    const encoded = [...place, ...all].map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    return `postgresql:///${encodeURI(database)}?${encoded.join("&")}`;
  };
  return { servers, role, connectTimeoutMs, urlOf };
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

/** As libpq: a plus sign is one, and a zero byte is none. */
function decode(text: string): string {
  if (/%(?![0-9a-f]{2})|%00/i.test(text)) throw new UrlFault(`has a "%" that begins no character: ${ENCODE}`);
  try {
    return decodeURIComponent(text);
  } catch {
    throw new UrlFault("has percent-encoded bytes that are not UTF-8");
  }
}

function readParameters(query: string): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const part of query.split("&").filter((each) => each !== "")) {
    if (!part.includes("=")) throw new UrlFault('has a parameter without "=" after its "?"');
    const [name, value] = splitOnce(part, "=");
    parameters.set(decode(name), decode(value));
  }
  return parameters;
}

function refuseUnsupported(parameters: ReadonlyMap<string, string>): void {
  if (parameters.has("hostaddr")) throw new UrlFault("has hostaddr, which is not supported: give the address as host");
  if ((parameters.get("load_balance_hosts") ?? "disable") !== "disable")
    throw new UrlFault(
      "has load_balance_hosts, which is not supported: servers are tried in the order in which they are listed",
    );
}

function readRole(text: string | undefined): WantedRole {
  const role = ROLES.find((each) => each === (text ?? "any"));
  if (role === undefined) throw new UrlFault(`has a target_session_attrs that is none of ${ROLES.join(", ")}`);
  return role;
}

function readConnectTimeout(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^-?[0-9]{1,6}$/.test(text)) throw new UrlFault("has a connect_timeout that is no whole number of seconds");
  return Number(text) > 0 ? Number(text) * 1_000 : undefined;
}

/** Those after the question mark replace those before it. */
function readServers(
  hostsAndPorts: string,
  hostList: string | undefined,
  portList: string | undefined,
): readonly ServerPlace[] {
  const named = hostsAndPorts.split(",").map(readHostAndPort);
  const hosts = hostList === undefined ? named.map(({ host }) => host) : hostList.split(",");
  const ports = portList === undefined ? named.map(({ port }) => port) : portList.split(",");
  if (hosts.length > 1 && hosts.includes("")) throw new UrlFault("has an empty host in its list of hosts");
  if (ports.length > 1 && ports.length !== hosts.length)
    throw new UrlFault(`has ${ports.length} ports for ${hosts.length} hosts: give one port, or one for each host`);
  return hosts.map((host, index) => ({ host, port: readPort(ports.length === 1 ? ports[0] : ports[index], index) }));
}

function readHostAndPort(text: string): { readonly host: string; readonly port: string } {
  const [, bracketed, plain = "", port = ""] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(.*))?$/s.exec(text) ?? [
    "",
    "",
    "",
    "?",
  ];
  return { host: decode(bracketed ?? plain), port: decode(port) };
}

function readPort(text: string | undefined, index: number): number | undefined {
  if (text === undefined || text === "") return undefined;
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= PORT_MAX) return port;
  throw new UrlFault(`has a port of its host ${index + 1} that is no number from 1 to ${PORT_MAX}; ${ENCODE}`);
}
