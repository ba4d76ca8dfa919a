// Receives callbacks over raw sockets and answers each at once.
import { createServer } from "node:net";

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
const HEAD_END = Buffer.from("\r\n\r\n");

/** `receive` gets the body of each. Answers the port. */
export function openCallbackServer(receive) {
  const server = createServer((socket) => {
    let pending = Buffer.alloc(0);
    socket.setNoDelay(true);
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      for (let request = firstRequest(pending); request !== undefined; request = firstRequest(pending)) {
        socket.write(OK);
        receive(pending.toString("utf8", request.bodyStart, request.end));
        pending = pending.subarray(request.end);
      }
    });
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server.address().port)));
}

/** Undefined until it is there as a whole. */
function firstRequest(bytes) {
  const head = bytes.indexOf(HEAD_END);
  if (head === -1) return undefined;
  const length = /\r\ncontent-length: (\d+)/i.exec(bytes.toString("latin1", 0, head))?.[1] ?? "0";
  const bodyStart = head + HEAD_END.length;
  const end = bodyStart + Number(length);
  return bytes.length < end ? undefined : { bodyStart, end };
}
