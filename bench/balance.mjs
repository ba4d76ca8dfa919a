// How many signed balance reads a second, beside a bare echo in the same run.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { credentialsFromSandboxFile, signRequest } from "../sdk/dist/index.js";
import { inRounds } from "./ask.mjs";
import { httpRequest, load } from "./load.mjs";
import { startService } from "./service.mjs";

const PATH = "/api/v1/balance/info";
const SHAPE = { connections: 64, seconds: 3, warmupSeconds: 1 };
/** Other work on the machine comes and goes: everything is measured in turns, and the median of each counts. */
const ROUNDS = 5;
const AIMS = { "RSA-SHA256": 0.25, "RSA-SHA256-V2": 0.25, "HMAC-SHA512": 0.35, "HMAC-SHA512-V2": 0.35 };
const RSS_MB_AIM = 200;

export async function benchBalance() {
  const echo = await startEcho();
  const service = await startService();
  try {
    service.cli("project", "set", service.sandbox.project_id, "--rate", "1000000", "--burst", "1000000");
    const contestants = [() => measureEcho(echo.url), ...signedContestants(service.sandbox)];
    const { rounds, failure } = await inRounds(ROUNDS, () => measureEach(contestants));
    const measured = rounds.flat();
    const rssMb = service.rssMb();
    const rows = [...new Set(measured.map((row) => row.name))].map((name) =>
      median(measured.filter((row) => row.name === name)),
    );
    return {
      question: `signed balance/info at ${SHAPE.connections} connections, beside a bare node:http JSON echo; medians of ${rounds.length} rounds`,
      rows: rows.map((row) => withRatio(row, rows[0])),
      notes: [`RSS of the service after the load: ${rssMb.toFixed(0)} MB (aim: at most ${RSS_MB_AIM} MB)`],
      rssMb,
      failure,
    };
  } finally {
    await service.stop();
    echo.stop();
  }
}

async function measureEach(contestants) {
  const rows = [];
  for (const measure of contestants) rows.push(await measure());
  return rows;
}

async function startEcho() {
  const child = fork(fileURLToPath(new URL("echo-server.mjs", import.meta.url)));
  const port = await new Promise((resolve) => child.once("message", resolve));
  return { url: `http://127.0.0.1:${port}`, stop: () => child.disconnect() };
}

async function measureEcho(url) {
  const body = JSON.stringify({ general: { project_id: "0".repeat(32) } });
  const requests = [httpRequest("/", { "content-type": "application/json" }, body)];
  return { name: "bare echo", ...(await load({ ...SHAPE, url, requests })) };
}

function signedContestants(sandbox) {
  return ["rsa", "hmac"].flatMap((kind) => [1, 2].map((scheme) => () => measureSigned(sandbox, kind, scheme)));
}

async function measureSigned(sandbox, kind, scheme) {
  const body = JSON.stringify({ general: { project_id: sandbox.project_id } });
  const credentials = credentialsFromSandboxFile(sandbox, kind);
  const nowS = Math.floor(Date.now() / 1000);
  // Different times give different signatures, so that nothing can be answered from memory.
  const signed = Array.from({ length: 64 }, (_, index) =>
    signRequest({ credentials, path: PATH, rawBody: body, timestamp: nowS - index, scheme }),
  );
  const requests = signed.map((headers) => httpRequest(PATH, headers, body));
  const result = await load({ ...SHAPE, url: sandbox.base_url, requests });
  if (result.failed > 0) throw new Error(`${result.failed} requests were not answered with 200`);
  return { name: signed[0]["x-access-merchant-algorithm"], ...result };
}

function median(rows) {
  const sorted = rows.toSorted((a, b) => a.perSecond - b.perSecond);
  return sorted[Math.floor(sorted.length / 2)];
}

function withRatio(row, echo) {
  return { ...row, ratio: row.perSecond / echo.perSecond, aim: AIMS[row.name] };
}
