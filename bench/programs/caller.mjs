// Calls of one kind in a process of its own. They are signed before the clock runs; a signature is good for five minutes.
import { answerQuestions } from "../kit/answer-questions.mjs";
import { callRequest, createRequest, FLOWS } from "../kit/merchant-flows.mjs";
import { openLoad } from "../kit/open-load.mjs";

const CONNECTIONS = 128;
/** Of this process's payments, and of no others. */
const PREFIX = `call-${process.pid}-${Date.now().toString(36)}-`;
let made = 0;
let requests = [];
/** Whether a request may be sent more than once. */
let again = false;

answerQuestions({
  /** Payments of one kind, `count` of them; the projects take turns. */
  signCreates: ({ kind, credentials, projectIds, count }) => {
    again = false;
    requests = Array.from({ length: count }, () => {
      made += 1;
      return createRequest(FLOWS[kind], credentials, projectIds[made % projectIds.length], `${PREFIX}${made}`);
    });
    return { prefix: PREFIX };
  },
  /** The same calls over and over: `bodies` to `path`. */
  signCalls: ({ path, credentials, bodies }) => {
    again = true;
    requests = bodies.map((body) => callRequest(path, credentials, body));
  },
  work: ({ url, perSecond, seconds, warmupSeconds }) =>
    openLoad({ url, connections: CONNECTIONS, requests, again, perSecond, seconds, warmupSeconds }),
});
