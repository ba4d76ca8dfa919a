// RSA signatures a second and nothing else, in the threads of Node's pool: what callbacks signed with RSA are measured by.
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { promisify } from "node:util";

const AT_ONCE = 8;
const signInThread = promisify(sign);
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const message = randomBytes(32);

process.on("message", async ({ seconds }) => {
  const began = performance.now();
  const untilMs = began + seconds * 1000;
  let count = 0;
  const loop = async () => {
    for (; performance.now() < untilMs; count += 1) await signInThread("sha256", message, privateKey);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, loop));
  process.send({ count, perSecond: count / ((performance.now() - began) / 1000) });
});
process.on("disconnect", () => process.exit(0));
