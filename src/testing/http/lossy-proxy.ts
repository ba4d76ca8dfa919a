import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Agent, request as send } from "undici";
import type { Trouble } from "../../connectors/conformance.ts";
import { readWhole } from "./read-whole.ts";

/** Stands between a merchant's program and a gateway, and loses what it is told to lose. */
export type LossyProxy = {
  readonly url: string;
  /** The next call about this payment is passed on, and its answer is lost in this way. */
  readonly loseAnswer: (paymentId: string, how: Trouble) => void;
  /** The next call about this payment is not passed on. */
  readonly loseCall: (paymentId: string) => void;
  readonly close: () => Promise<void>;
};

type Passed = { readonly status: number; readonly body: Buffer };

const GARBAGE = '{"status":"succ';

export async function openLossyProxy(target: () => string): Promise<LossyProxy> {
  const agent = new Agent();
  const losses = new Map<string, Trouble | "call">();
  /** Calls about one payment are passed on one after another: a question never overtakes the call that it asks about. */
  const queues = new Map<string, Promise<unknown>>();

  async function pass(incoming: IncomingMessage, body: Buffer): Promise<Passed> {
    const { host: _host, connection: _connection, "content-length": _length, ...headers } = incoming.headers;
    const url = `${target()}${incoming.url}`;
    const answer = await send(url, { method: "POST", headers, body, dispatcher: agent });
    return { status: answer.statusCode, body: Buffer.from(await answer.body.arrayBuffer()) };
  }

  function passInTurn(paymentId: string, incoming: IncomingMessage, body: Buffer): Promise<Passed> {
    const turn = (queues.get(paymentId) ?? Promise.resolve()).then(() => pass(incoming, body));
    queues.set(
      paymentId,
      turn.catch(() => undefined),
    );
    return turn;
  }

  const server = createServer(async (incoming, outgoing) => {
    const body = await readWhole(incoming);
    if (body === undefined) return;
    const paymentId = paymentIdOf(body);
    const loss = losses.get(paymentId);
    losses.delete(paymentId);
    if (loss === "call") return say(outgoing, 500, "lost on the way");
    // A gateway that is down answers nothing, which a proxy says so.
    const passed = await passInTurn(paymentId, incoming, body).catch(
      (): Passed => ({ status: 502, body: Buffer.of() }),
    );
    if (loss === undefined) return say(outgoing, passed.status, passed.body);
    lose(outgoing, loss);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    loseAnswer: (paymentId, how) => {
      losses.set(paymentId, how);
    },
    loseCall: (paymentId) => {
      losses.set(paymentId, "call");
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
      await agent.destroy();
    },
  };
}

function lose(outgoing: ServerResponse, how: Trouble): void {
  if (how === "error500") say(outgoing, 500, "an error of the proxy's own");
  else if (how === "garbage") say(outgoing, 200, GARBAGE);
  else if (how === "reset") outgoing.destroy();
  // A time-out: the caller is left waiting until it gives up.
}

function say(outgoing: ServerResponse, status: number, body: string | Buffer): void {
  outgoing.writeHead(status, { "content-type": "application/json" }).end(body);
}

function paymentIdOf(body: Buffer): string {
  const read: { general?: { payment_id?: string } } = JSON.parse(body.toString("utf8"));
  return read.general?.payment_id ?? "";
}
