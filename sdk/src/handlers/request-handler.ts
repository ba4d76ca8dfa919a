import { TillgateError } from "../errors.ts";
import { readBytes } from "../read-bytes.ts";
import { CALLBACK_BYTES_MAX, type CallbackHandlerOptions, createCallbackTaker, TOO_LARGE } from "./take-callback.ts";

/**
 * A handler on the standard `Request`, as Hono, Next.js, Remix, SvelteKit, Deno and Bun take it. What `onCallback` throws
 * is thrown on, so that the framework logs it and answers 500.
 */
export function createCallbackHandler(options: CallbackHandlerOptions): (request: Request) => Promise<Response> {
  const take = createCallbackTaker(options);
  return async (request) => {
    if (request.method !== "POST")
      return new Response("callbacks are POST", { status: 405, headers: { allow: "POST" } });
    if (request.bodyUsed) throw new TillgateError("the body was read before: pass the request as it was received");
    const rawBody = request.body === null ? Buffer.alloc(0) : await readBytes(request.body, CALLBACK_BYTES_MAX);
    const { status, text } = rawBody === undefined ? TOO_LARGE : await take({ headers: request.headers, rawBody });
    // A 204 must have no body, not even an empty one.
    return new Response(text === "" ? null : text, { status });
  };
}
