// HTTP as bytes, for generators that cost far less than what they measure.

const HEAD_END = Buffer.from("\r\n\r\n");

export function httpRequest(path, headers, body) {
  const lines = Object.entries({ host: "127.0.0.1", ...headers, "content-length": Buffer.byteLength(body) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${head}\r\n${body}`);
}

/** Where the first answer in `bytes` ends; undefined while its head is not there yet, NaN when the head does not say. */
export function answerEnd(bytes) {
  const head = bytes.indexOf(HEAD_END);
  if (head === -1) return undefined;
  const length = /content-length: (\d+)/i.exec(bytes.toString("latin1", 0, head))?.[1];
  return head + HEAD_END.length + Number(length);
}

const OK = "HTTP/1.1 200";

export function isOk(answer) {
  return answer.toString("latin1", 0, OK.length) === OK;
}

export function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
