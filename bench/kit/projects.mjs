// Makes more projects like the sandbox's own, and keys of their merchant that may act for all of them.
import pg from "pg";
import { signRequest } from "../../sdk/dist/index.js";
import { sleep } from "./http.mjs";

const RATE = 1_000_000;

const LIKE_SANDBOX = `
  with made as (
    insert into projects (id, merchant_id, name, book, rate_per_second, rate_burst)
    select gen_random_uuid(), p.merchant_id, 'Project ' || n, p.book, ${RATE}, ${RATE}
      from projects p cross join generate_series(1, $2) n where p.id = $1
    returning id)
  insert into project_methods (project_id, direction, method, currency, enabled, min_amount, max_amount, fee_bp, fee_fixed)
  select made.id, m.direction, m.method, m.currency, m.enabled, m.min_amount, m.max_amount, m.fee_bp, m.fee_fixed
    from made cross join project_methods m where m.project_id = $1
  returning project_id`;

/** Their ids, as requests name them. */
export async function addProjects({ sandbox, database }, count) {
  return withDatabase(database, async (client) => {
    const { rows } = await client.query(LIKE_SANDBOX, [sandbox.project_id, count]);
    return [...new Set(rows.map((row) => row.project_id.replaceAll("-", "")))];
  });
}

/** What requests are signed with. */
export function addKey({ sandbox, cli }, kind) {
  const owner = ["--merchant", sandbox.merchant_id, "--book", "test"];
  const key = JSON.parse(cli("key", "add", ...owner, "--generate", kind, "--json"));
  const identity = { kind, merchantId: sandbox.merchant_id, projectId: sandbox.project_id };
  return kind === "rsa"
    ? { ...identity, accessToken: key.token, privateKeyPem: key.private_key_pem }
    : { ...identity, keyId: key.token, secret: key.secret };
}

export async function withDatabase(database, work) {
  const client = new pg.Client(database);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const KNOWN_WITHIN_MS = 60_000;
const BALANCE_PATH = "/api/v1/balance/info";

/** Until the service answers for the last of them: it holds its directory in memory, and reads it again when it changed. */
export async function untilKnown({ sandbox }, credentials, projectIds) {
  const rawBody = JSON.stringify({ general: { project_id: projectIds.at(-1) } });
  const giveUpMs = performance.now() + KNOWN_WITHIN_MS;
  for (;;) {
    const timestamp = Math.floor(Date.now() / 1000);
    const headers = signRequest({ credentials, path: BALANCE_PATH, rawBody, timestamp, scheme: 2 });
    const answer = await fetch(`${sandbox.base_url}${BALANCE_PATH}`, { method: "POST", headers, body: rawBody });
    if (answer.ok) return;
    if (performance.now() > giveUpMs) throw new Error(`a new project is answered ${answer.status}`);
    await sleep(100);
  }
}
