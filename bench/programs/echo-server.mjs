// The least that an HTTP API in Node can do: parse a JSON body and answer JSON. What everything else is measured by.
import { createServer } from "node:http";
import { answerQuestions } from "../kit/answer-questions.mjs";

const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const answer = JSON.stringify(JSON.parse(Buffer.concat(chunks).toString("utf8")));
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(answer) });
    response.end(answer);
  });
});

answerQuestions({
  listen: () => new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve({ port: server.address().port }))),
});
