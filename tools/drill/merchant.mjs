// A good merchant: it signs its calls, and repeats what was not answered with the same body until it is.
import { Agent, request } from "undici";
import { signRequest } from "../../sdk/dist/index.js";
import { sleep } from "./wait.mjs";

/** Longer than the service's own limit of a request, so that a call that hangs is seen as one. */
const ANSWER_WITHIN_MS = 15_000;
const CONNECT_WITHIN_MS = 2_000;
const CONNECTIONS_MAX = 512;
/** The wait before a repeat doubles up to the maximum, unless the answer asks for more; half of it is chance. */
const REPEAT_AFTER_MS = 500;
const REPEAT_AFTER_MAX_MS = 4_000;
const GIVE_UP_AFTER_MS = 180_000;
const TOO_MANY = 429;
const SERVER_FAULT = 500;

/** Every answer is noted in `book().answers`, and one that is no repeat's in `word`. */
export function openMerchant({ url, credentials, book }) {
  const agent = new Agent({ connections: CONNECTIONS_MAX, connect: { timeout: CONNECT_WITHIN_MS } });

  async function call(kind, path, body) {
    const rawBody = JSON.stringify(body);
    const timestamp = Math.floor(Date.now() / 1000);
    const headers = signRequest({ credentials, path, rawBody, timestamp, scheme: 2 });
    const { answers } = book();
    const sentMs = Date.now();
    const note = (word) => answers.push({ kind, word, atMs: Date.now(), ms: Date.now() - sentMs });
    try {
      const limits = { headersTimeout: ANSWER_WITHIN_MS, bodyTimeout: ANSWER_WITHIN_MS };
      const answer = await request(url + path, {
        method: "POST",
        headers,
        body: rawBody,
        dispatcher: agent,
        ...limits,
      });
      const text = await answer.body.text();
      note(String(answer.statusCode));
      return { status: answer.statusCode, json: jsonOf(text), retryAfterS: Number(answer.headers["retry-after"] ?? 0) };
    } catch (error) {
      note(error.name === "HeadersTimeoutError" || error.name === "BodyTimeoutError" ? "hung" : "cut off");
      return undefined;
    }
  }

  /** The first answer that says something of the call itself; undefined when none came for minutes. */
  async function untilAnswered(kind, path, body) {
    const giveUpMs = Date.now() + GIVE_UP_AFTER_MS;
    for (let waitMs = REPEAT_AFTER_MS; Date.now() < giveUpMs; waitMs = Math.min(2 * waitMs, REPEAT_AFTER_MAX_MS)) {
      const answer = await call(kind, path, body);
      if (answer !== undefined && answer.status < SERVER_FAULT && answer.status !== TOO_MANY) return answer;
      await sleep(Math.max(waitMs * (0.5 + Math.random() / 2), 1000 * (answer?.retryAfterS ?? 0)));
    }
    return undefined;
  }

  return { call, untilAnswered, close: () => agent.destroy() };
}

function jsonOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
