// The merchant's server: it verifies both signatures of every callback, and notes what it was told.
import { createServer } from "node:http";
import { isFinal, verifyCallback, verifyStandardWebhook } from "../../sdk/dist/index.js";
import { HOST } from "./ports.mjs";

const ACCEPTED = 204;
const REFUSED = 401;

/** `keys` come later: the service makes them when it starts. `hear` gets each genuine callback. */
export async function openInbox(hear) {
  const inbox = { keys: undefined, forged: 0, count: 0, finals: new Map() };
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const callback = genuine(inbox, request.headers, Buffer.concat(chunks));
    response.writeHead(callback === undefined ? REFUSED : ACCEPTED).end();
    if (callback === undefined) return;
    inbox.count += 1;
    const { request_id: requestId } = callback.general;
    const { status } = callback.status;
    if (isFinal({ status }) && !inbox.finals.has(requestId)) inbox.finals.set(requestId, { status, atMs: Date.now() });
    hear(callback);
  });
  await new Promise((resolve) => server.listen(0, HOST, resolve));
  inbox.url = `http://${HOST}:${server.address().port}/callbacks`;
  inbox.close = () => {
    server.close();
    server.closeAllConnections();
  };
  return inbox;
}

function genuine(inbox, headers, rawBody) {
  try {
    const { publicKeyPem, projectId, webhookSecret } = inbox.keys;
    verifyStandardWebhook({ headers, rawBody, secret: webhookSecret });
    return verifyCallback({ headers, rawBody, publicKeyPem, projectId });
  } catch {
    inbox.forged += 1;
    return undefined;
  }
}
