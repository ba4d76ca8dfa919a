import { connect as connectTcp, type Socket } from "node:net";
import { type SecureContext, connect as startTls, type TLSSocket } from "node:tls";
import { fail, ok, type Result } from "../../core/result.ts";
import type { FailedReason } from "./answer.ts";
import { fitsPins } from "./key-pins.ts";
import type { Target } from "./target.ts";

/** Begins a TCP connection to an address; the socket reports success or failure by its events. */
export type Dial = (to: { readonly address: string; readonly port: number }) => Socket;

export type DialOptions = {
  readonly target: Pick<Target, "secure" | "port" | "serverName">;
  /** Checked beforehand. */
  readonly addresses: readonly string[];
  readonly dial: Dial;
  readonly secureContext: SecureContext;
  /** See `EgressOptions`. */
  readonly pins?: readonly string[] | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
};

type DialFault = Extract<FailedReason, "connect_timeout" | "connect_failed" | "tls">;
type Dialled = Result<Socket, DialFault>;

/** With more, the share of the time that each gets would be too short for a far away receiver. */
const ADDRESSES_TRIED_MAX = 3;

/** An address needs no lookup. Should one ever be asked for, it fails rather than resolve a name a second time. */
export const dialTcp: Dial = ({ address, port }) =>
  connectTcp({
    host: address,
    port,
    noDelay: true,
    lookup: (_name, _options, done) => done(new Error("Only checked addresses are dialled."), "", 0),
  });

/** Tries the addresses in turn. Each gets an equal share of the time that is left, so a dead one cannot use up all. */
export async function dialAddresses(options: DialOptions): Promise<Dialled> {
  const addresses = options.addresses.slice(0, ADDRESSES_TRIED_MAX);
  const untilMs = performance.now() + options.timeoutMs;
  let outcome: Dialled = fail("connect_timeout");
  for (const [index, address] of addresses.entries()) {
    const leftMs = untilMs - performance.now();
    if (options.signal.aborted || leftMs <= 0) break;
    outcome = await dialAddress(options, address, leftMs / (addresses.length - index));
    if (outcome.ok) break;
  }
  return outcome;
}

function dialAddress(options: DialOptions, address: string, timeoutMs: number): Promise<Dialled> {
  const { target, signal } = options;
  return new Promise((resolve) => {
    const tcp = options.dial({ address, port: target.port });
    const begun = [tcp];
    let settled = false;
    function settle(outcome: Dialled): void {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
      if (!outcome.ok) for (const socket of begun) socket.destroy();
      resolve(outcome);
    }
    const giveUp = () => settle(fail("connect_timeout"));
    const timer = setTimeout(giveUp, timeoutMs);
    signal.addEventListener("abort", giveUp, { once: true });
    // These listeners stay: an error of a socket without a listener would end the process.
    tcp.on("error", () => settle(fail("connect_failed")));
    tcp.once("connect", () => {
      if (!target.secure) return settle(ok(tcp));
      const tls = secureSocket(options, tcp, address);
      begun.push(tls);
      tls.once("secureConnect", () => {
        if (fitsPins(tls, options.pins)) settle(ok(tls));
        // Node 20 crashes where the socket is destroyed while it tells that it is secure.
        else setImmediate(settle, fail("tls"));
      });
      tls.on("error", () => settle(fail("tls")));
      tls.once("close", () => settle(fail("tls")));
    });
  });
}

/** The certificate must be valid for the name in the URL, or for the address where the URL has no name. */
function secureSocket({ target, secureContext }: DialOptions, socket: Socket, address: string): TLSSocket {
  return startTls({
    socket,
    secureContext,
    host: address,
    servername: target.serverName ?? "",
    ALPNProtocols: ["http/1.1"],
    // Said explicitly, because an environment variable can turn the default off.
    rejectUnauthorized: true,
  });
}
