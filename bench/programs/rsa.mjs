// RSA operations a second and nothing else, in the threads of Node's pool: what calls and callbacks by RSA are measured by.
import { generateKeyPairSync, randomBytes, sign, verify } from "node:crypto";
import { promisify } from "node:util";
import { answerQuestions } from "../kit/answer-questions.mjs";

const AT_ONCE = 8;
const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const message = randomBytes(32);
const signature = sign("sha256", message, privateKey);
const OPERATIONS = {
  sign: () => promisify(sign)("sha256", message, privateKey),
  verify: () => promisify(verify)("sha256", message, publicKey, signature),
};

answerQuestions({
  work: async ({ operation, seconds }) => {
    const began = performance.now();
    const untilMs = began + seconds * 1000;
    let count = 0;
    const loop = async () => {
      for (; performance.now() < untilMs; count += 1) await OPERATIONS[operation]();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, loop));
    return { count, perSecond: count / ((performance.now() - began) / 1000) };
  },
});
