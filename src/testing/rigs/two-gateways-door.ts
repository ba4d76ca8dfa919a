import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readWhole } from "../http/read-whole.ts";

/** A request on its way to a gateway. */
type Passing = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: Buffer;
};

type PassedAnswer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly rawBody: Buffer };

/** Hands a request over, as it is or changed. Rejects where the gateway does not answer. */
type Forward = (changed?: Partial<Passing>) => Promise<PassedAnswer>;

/** What happens to a request at the door; "cut": its sender gets no answer. */
export type DoorRule = (passing: Passing, forward: Forward) => Promise<PassedAnswer | "cut">;

/** A network in front of a gateway, which a test can make lose, delay, double or change what passes. */
export type Door = {
  readonly url: string;
  /** All that came, whether it was handed over or not. */
  readonly passed: readonly Passing[];
  /** From now on. */
  readonly setRule: (rule: DoorRule) => void;
  readonly close: () => Promise<void>;
};

export const PASS: DoorRule = (_passing, forward) => forward();

/** The gateway never sees it. */
export const LOSE: DoorRule = async () => "cut";

/** The gateway does what was asked, and its answer is lost. */
export const LOSE_ANSWER: DoorRule = async (_passing, forward) => {
  await forward();
  return "cut";
};

export async function openDoor(target: () => string): Promise<Door> {
  const passed: Passing[] = [];
  let rule = PASS;
  const server = createServer(async (incoming, response) => {
    const rawBody = await readWhole(incoming);
    if (rawBody === undefined) return;
    const { method = "", url: path = "", headers } = incoming;
    const passing = { method, path, headers, rawBody };
    passed.push(passing);
    const forward: Forward = (changed = {}) => handOver(target(), { ...passing, ...changed });
    answer(response, await rule(passing, forward).catch((): "cut" => "cut"));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    setRule: (next) => {
      rule = next;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** Of one connection only; the next one is told by its own headers. */
const HOP_HEADERS = new Set(["connection", "keep-alive", "transfer-encoding", "content-length", "host"]);

function endToEnd(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || HOP_HEADERS.has(name) ? [] : [[name, value]],
    ),
  );
}

function handOver(baseUrl: string, { method, path, headers, rawBody }: Passing): Promise<PassedAnswer> {
  return new Promise((resolve, reject) => {
    const sent = { ...endToEnd(headers), "content-length": String(rawBody.length) };
    const sending = request(baseUrl + path, { method, headers: sent, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("error", reject);
      incoming.on("end", () => {
        const { statusCode: status = 0, headers: answered } = incoming;
        resolve({ status, headers: answered, rawBody: Buffer.concat(chunks) });
      });
    });
    sending.on("error", reject);
    sending.end(rawBody);
  });
}

function answer(response: ServerResponse, given: PassedAnswer | "cut"): void {
  if (given === "cut") response.destroy();
  else response.writeHead(given.status, endToEnd(given.headers)).end(given.rawBody);
}
