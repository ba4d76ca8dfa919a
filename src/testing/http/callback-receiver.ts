import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readWhole } from "./read-whole.ts";

/** A callback as it arrived. */
export type ReceivedCallback = {
  readonly path: string;
  readonly atMs: number;
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: Buffer;
  readonly body: {
    readonly general: { readonly request_id: string; readonly payment_id: string };
    readonly status: { readonly status: string; readonly sub_status: string | null };
    readonly requisites?: Readonly<Record<string, unknown>>;
    readonly event: { readonly id: string; readonly sequence: number };
  };
};

export type Answer = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
};

/** What the receiver says to a callback; "nothing" keeps the connection open without a word. */
export type AnswerCallback = (received: ReceivedCallback) => Answer | "nothing" | Promise<Answer | "nothing">;

export type CallbackReceiver = {
  readonly url: string;
  /** All that came, in the order of their arrival. */
  readonly received: readonly ReceivedCallback[];
  readonly sequencesOf: (requestId: string) => number[];
  /** From now on. */
  readonly answerWith: (answer: AnswerCallback) => void;
  readonly close: () => Promise<void>;
};

export const ACCEPT: AnswerCallback = () => ({ status: 200 });
export const HANG: AnswerCallback = () => "nothing";

/** A merchant's server on loopback, which answers as the test says. */
export async function openCallbackReceiver(first: AnswerCallback = ACCEPT): Promise<CallbackReceiver> {
  const received: ReceivedCallback[] = [];
  let answer = first;
  const server = createServer(async (request, response) => {
    const rawBody = await readWhole(request);
    if (rawBody === undefined) return;
    const { url: path = "", headers } = request;
    const callback = { path, headers, rawBody, atMs: Date.now(), body: JSON.parse(rawBody.toString("utf8")) };
    received.push(callback);
    say(response, await answer(callback));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    sequencesOf: (requestId) =>
      received.filter(({ body }) => body.general.request_id === requestId).map(({ body }) => body.event.sequence),
    answerWith: (next) => {
      answer = next;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function say(response: ServerResponse, answer: Answer | "nothing"): void {
  if (answer === "nothing") return;
  response.writeHead(answer.status, { ...answer.headers });
  response.end(answer.body ?? "");
}
