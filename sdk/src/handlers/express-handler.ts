import { TillgateError } from "../errors.ts";
import type { IncomingHeaders } from "../header.ts";
import type { RawBody } from "../raw-body.ts";
import { readBytes } from "../read-bytes.ts";
import { CALLBACK_BYTES_MAX, type CallbackHandlerOptions, createCallbackTaker, TOO_LARGE } from "./take-callback.ts";

/** What of Express's own types is used; the package depends on no framework. */
type ExpressRequest = AsyncIterable<Uint8Array> & {
  readonly headers: IncomingHeaders;
  readonly body?: unknown;
  /** Where some hosts and some settings of `express.json` keep the bytes. */
  readonly rawBody?: unknown;
  readonly readableDidRead: boolean;
};
type ExpressResponse = {
  readonly writeHead: (status: number, headers: Record<string, string>) => { readonly end: (text: string) => unknown };
};
type ExpressNext = (error?: unknown) => void;

/**
 * A handler for Express: `app.post("/callbacks", expressCallbackHandler({ … }))`. It needs the bytes of the body, so put it
 * before `app.use(express.json())`. What `onCallback` throws goes to `next`.
 */
export function expressCallbackHandler(
  options: CallbackHandlerOptions,
): (request: ExpressRequest, response: ExpressResponse, next: ExpressNext) => void {
  const take = createCallbackTaker(options);
  const answer = async (request: ExpressRequest, response: ExpressResponse): Promise<void> => {
    const rawBody = await readBody(request);
    const { status, text } = rawBody === undefined ? TOO_LARGE : await take({ headers: request.headers, rawBody });
    response.writeHead(status, text === "" ? {} : { "content-type": "text/plain" }).end(text);
  };
  return (request, response, next) => {
    answer(request, response).catch(next);
  };
}

/** The bytes, where a parser left them, or those that were not read yet; undefined when they are too many. */
async function readBody(request: ExpressRequest): Promise<RawBody | undefined> {
  const kept = [request.rawBody, request.body].find(isRaw);
  if (kept !== undefined) return kept.length > CALLBACK_BYTES_MAX ? undefined : kept;
  if (!request.readableDidRead) return readBytes(request, CALLBACK_BYTES_MAX);
  throw new TillgateError("the body was parsed before the callback handler, so that it cannot be verified", {
    advice: "Put the route of callbacks before app.use(express.json()), or give it express.raw({ type: '*/*' }).",
  });
}

function isRaw(body: unknown): body is RawBody {
  return typeof body === "string" || body instanceof Uint8Array;
}
