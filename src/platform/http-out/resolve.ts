import { lookup, Resolver } from "node:dns/promises";

/** All addresses of a name. Rejects, or answers with none, when it has none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

const QUERY_TIMEOUT_MS = 1_000;
const QUERY_TRIES = 2;

/**
 * Asks the name servers directly. The system's own lookup occupies one of four threads, which files and cryptography
 * share, for as long as a name server keeps silent: a few dead names of one merchant would delay all merchants. The
 * resolver is created for each name, because it reads the machine's configuration only when it is made.
 */
export function resolveByQuery(servers?: readonly string[]): Resolve {
  return async (hostname) => {
    const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
    if (servers !== undefined) resolver.setServers(servers);
    // Many zones answer well for one kind of address and badly for the other, so one good answer is enough.
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  };
}

/** Asks the system, which also knows `localhost` and the hosts file: what development needs. */
export const resolveBySystem: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);
