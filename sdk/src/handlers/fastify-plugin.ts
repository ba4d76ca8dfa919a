import { TillgateError } from "../errors.ts";
import type { IncomingHeaders } from "../header.ts";
import { type CallbackHandlerOptions, createCallbackTaker } from "./take-callback.ts";

/** What of Fastify's own types is used; the package depends on no framework. */
type FastifyScope = {
  readonly removeAllContentTypeParsers: () => void;
  readonly addContentTypeParser: (
    contentType: string,
    options: { parseAs: "buffer" },
    parser: (request: unknown, body: Buffer) => Promise<Buffer>,
  ) => unknown;
  readonly post: (
    path: string,
    handler: (request: FastifyCallbackRequest, reply: FastifyCallbackReply) => Promise<unknown>,
  ) => unknown;
};
type FastifyCallbackRequest = { readonly headers: IncomingHeaders; readonly body: unknown };
type FastifyCallbackReply = {
  readonly code: (status: number) => { readonly send: (text: string) => unknown };
};

/**
 * A plugin for Fastify: `app.register(fastifyCallbackPlugin({ path: "/callbacks", … }))`. It keeps the bytes of the body of
 * this route alone; the parsers of your other routes stay as they are. What `onCallback` throws is Fastify's to log and
 * to answer with 500.
 */
export function fastifyCallbackPlugin(
  options: CallbackHandlerOptions & { readonly path: string },
): (scope: FastifyScope) => Promise<void> {
  const { path } = options;
  if (typeof path !== "string" || !path.startsWith("/")) throw new TillgateError("path must begin with /");
  const take = createCallbackTaker(options);
  return async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, async (_, body) => body);
    scope.post(path, async (request, reply) => {
      const rawBody = request.body instanceof Uint8Array ? request.body : "";
      const { status, text } = await take({ headers: request.headers, rawBody });
      return reply.code(status).send(text);
    });
  };
}
