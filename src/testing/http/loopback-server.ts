import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import type { TestCertificate } from "./certificates.ts";

/** A request as its bytes said it. */
type SeenRequest = {
  readonly line: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  readonly socket: Socket;
  /** The name that the client asked for in the TLS handshake, if any. */
  readonly serverName: string | undefined;
};

/** Says byte by byte what the server answers; it may also say nothing, or break the connection. */
export type Script = (request: SeenRequest) => void;

export type LoopbackServer = {
  readonly port: number;
  readonly requests: readonly SeenRequest[];
  /** Every connection that was ever accepted. */
  readonly sockets: readonly Socket[];
  readonly openNow: () => number;
  readonly openAtMost: () => number;
  readonly nextRequest: () => Promise<SeenRequest>;
  readonly close: () => Promise<void>;
};

export const OK_EMPTY = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";

/** Kept when the socket is gone, with or without an error. */
export function untilClosed(socket: Socket | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (socket === undefined || socket.closed) resolve();
    else socket.once("close", () => resolve());
  });
}

/** A server on 127.0.0.1 that speaks HTTP by hand, so that a test can also make it speak HTTP badly. */
export async function openLoopbackServer(script: Script, certificate?: TestCertificate): Promise<LoopbackServer> {
  const requests: SeenRequest[] = [];
  const sockets: Socket[] = [];
  const open = new Set<Socket>();
  let openAtMost = 0;
  const waiting: ((request: SeenRequest) => void)[] = [];

  function receive(socket: Socket): void {
    let bytes: Buffer = Buffer.alloc(0);
    socket.on("data", (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      for (let taken = takeRequest(bytes, socket); taken !== undefined; taken = takeRequest(bytes, socket)) {
        bytes = taken.rest;
        requests.push(taken.request);
        for (const tell of waiting.splice(0)) tell(taken.request);
        script(taken.request);
      }
    });
    socket.on("error", () => {});
  }

  const server: Server = certificate === undefined ? createServer(receive) : createTlsServer(certificate, receive);
  server.on("connection", (socket: Socket) => {
    sockets.push(socket);
    open.add(socket);
    openAtMost = Math.max(openAtMost, open.size);
    socket.on("error", () => {});
    socket.on("close", () => open.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    sockets,
    openNow: () => open.size,
    openAtMost: () => openAtMost,
    nextRequest: () => new Promise((resolve) => waiting.push(resolve)),
    close: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function takeRequest(bytes: Buffer, socket: Socket): { request: SeenRequest; rest: Buffer } | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const [line = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const headers = new Map(
    lines.map((text) => [text.slice(0, text.indexOf(":")).toLowerCase(), text.slice(text.indexOf(":") + 1).trim()]),
  );
  const bodyStart = end + 4;
  const bodyEnd = bodyStart + Number(headers.get("content-length") ?? 0);
  if (bytes.length < bodyEnd) return undefined;
  const serverName = (socket as Partial<TLSSocket> & { servername?: string | false }).servername;
  return {
    request: {
      line,
      headers,
      body: bytes.subarray(bodyStart, bodyEnd).toString(),
      socket,
      serverName: serverName === false ? undefined : serverName,
    },
    rest: bytes.subarray(bodyEnd),
  };
}
