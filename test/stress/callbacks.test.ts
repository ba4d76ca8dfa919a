import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, it, vi } from "vitest";
import { configureProject } from "../../src/app/merchants/merchants.ts";
import type { Id } from "../../src/core/ids.ts";
import { aProject } from "../../src/testing/builders/projects.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";

/**
 * Many callbacks, a receiver that fails three times in ten, and a worker that is killed again and again: nothing is lost,
 * everything keeps its order, and what comes again is the same event.
 */
const { db, url } = useTestDatabase();
const PAYMENTS = 5_000;
const KILLS = 10;
/** Killed soon after one another: a process that is new costs twice as much as one that is warm. */
const KILL_EVERY = 700;
const LEASE_S = 5;
const LAST_SEQUENCE = 5;
const CALLBACKS = PAYMENTS * (LAST_SEQUENCE - 1);
const FAILING_SHARE = 0.3;
/** No event fails more often than this, by chance: the waits after it are too long for a test, even divided. */
const FAILURES_MAX = 6;
const DIVISOR = 1_000;
/** The same for every worker, since they share the project's secrets. */
const masterKeyHex = randomBytes(32).toString("hex");

async function makePayments(projectId: Id): Promise<void> {
  await db.run({
    text: `insert into payments (project_id, request_id, direction, product, payment_id, body_hash, state, sequence, method,
                                 currency, requested_amount, amount, customer_id, request, decline_code, finished_at)
           select $1, gen_random_uuid(), 'payin', 'p2p', 'stress-' || n, '\\x00', 'decline', ${LAST_SEQUENCE}, 'card-p2p',
                  'RUB', 1000, 1000, 'c1', '{}', 'expired', now()
             from generate_series(1, ${PAYMENTS}) n`,
    values: [projectId],
    timeoutMs: 0,
  });
}

/** Of every second payment the final callback may go ahead after its 15 minutes, divided like everything else. */
async function makeCallbacks(projectId: Id, callbackUrl: string): Promise<void> {
  await db.run({
    text: `with paid as (
             insert into payments (project_id, request_id, direction, product, payment_id, body_hash, state, sequence, method,
                                   currency, requested_amount, amount, customer_id, request, decline_code, finished_at)
             select $1, gen_random_uuid(), 'payin', 'p2p', 'stress-' || n, '\\x00', 'decline', ${LAST_SEQUENCE}, 'card-p2p',
                    'RUB', 1000, 1000, 'c1', '{}', 'expired', now()
               from generate_series(1, ${PAYMENTS}) n
             returning request_id, payment_id),
           told as (
             select gen_random_uuid() as id, p.request_id, p.payment_id, s.sequence,
                    s.sequence = ${LAST_SEQUENCE} as final, right(p.payment_id, 1)::int % 2 = 0 as ahead
               from paid p cross join generate_series(2, ${LAST_SEQUENCE}) as s (sequence))
           insert into callbacks (project_id, id, request_id, sequence, url, origin, goes_ahead_at, due_at, body)
           select $1, t.id, t.request_id, t.sequence, $2, $3,
                  case when t.final then now() + make_interval(secs => case when t.ahead then 900.0 / ${DIVISOR} else 900 end) end,
                  now(),
                  json_build_object(
                    'general', json_build_object('request_id', t.request_id, 'payment_id', t.payment_id),
                    'status', json_build_object('status', 'processing', 'sub_status', 'requisites'),
                    'event', json_build_object('id', replace(t.id::text, '-', ''), 'sequence', t.sequence))
             from told t`,
    values: [projectId, callbackUrl, new URL(callbackUrl).origin],
    timeoutMs: 0,
  });
}

/** What came, judged as it comes. */
function openJudge() {
  const accepted = new Map<string, Set<number>>();
  const eventIds = new Map<string, string>();
  const failures = new Map<string, number>();
  const faults: string[] = [];
  let count = 0;
  return {
    faults,
    acceptedCount: () => count,
    /** Answers whether it is accepted. */
    hear: (paymentId: string, sequence: number, eventId: string): boolean => {
      const earlier = accepted.get(paymentId) ?? new Set();
      accepted.set(paymentId, earlier);
      const name = `${paymentId}:${sequence}`;
      const known = eventIds.get(name) ?? eventId;
      eventIds.set(name, known);
      if (known !== eventId) faults.push(`${name} came as two events`);
      const mayGoAhead = sequence === LAST_SEQUENCE && Number(paymentId.at(-1)) % 2 === 0;
      for (let before = 2; before < sequence && !mayGoAhead; before += 1) {
        if (!earlier.has(before)) faults.push(`${name} before ${before}`);
      }
      const failed = failures.get(name) ?? 0;
      if (failed < FAILURES_MAX && Math.random() < FAILING_SHARE) {
        failures.set(name, failed + 1);
        return false;
      }
      if (!earlier.has(sequence)) count += 1;
      earlier.add(sequence);
      return true;
    },
  };
}

/** As little as a receiver can do, since it shares two cores with the rest. */
async function openReceiver(judge: ReturnType<typeof openJudge>) {
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => {
      const { general, event } = JSON.parse(text);
      const accepted = judge.hear(general.payment_id, event.sequence, event.id);
      // Some failures look like a server in trouble, which the breaker minds, and some like one that only refuses.
      response.writeHead(accepted ? 200 : Math.random() < 0.5 ? 500 : 404).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** Loads the program, and waits to be started: the next worker is ready when the one before it is killed. */
function forkWorker(): ChildProcess {
  return fork(fileURLToPath(new URL("callback-worker.mjs", import.meta.url)));
}

/** With `writes` the worker writes the callbacks itself, and sends them from memory. */
async function startWorker(child: ChildProcess, writes: object | undefined): Promise<void> {
  child.send({ databaseUrl: url, masterKeyHex, divisor: DIVISOR, leaseS: LEASE_S, writes });
  await once(child, "message");
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

it.each(["the queue", "memory"])(
  `from %s: loses nothing and keeps the order of ${CALLBACKS} callbacks through many failures and ${KILLS} kills`,
  {
    timeout: 240_000,
  },
  async (from) => {
    const judge = openJudge();
    const receiver = await openReceiver(judge);
    const { projectId } = await aProject(db);
    const callbackUrl = `${receiver.url}/callbacks`;
    await configureProject(db, projectId, { settings: { callbackUrl, callbackSigning: "hmac" } });
    const fromMemory = from === "memory";
    if (fromMemory) await makePayments(projectId);
    else await makeCallbacks(projectId, callbackUrl);
    const writes = fromMemory ? { projectId, url: callbackUrl, lastSequence: LAST_SEQUENCE, aheadS: 1 } : undefined;

    let worker = forkWorker();
    await startWorker(worker, writes);
    for (let killed = 1; killed <= KILLS; killed += 1) {
      const next = forkWorker();
      await vi.waitFor(() => expect(judge.acceptedCount()).toBeGreaterThan(KILL_EVERY * killed), {
        timeout: 120_000,
        interval: 10,
      });
      await kill(worker);
      await startWorker(next, writes);
      worker = next;
    }
    const delivered = {
      text: "select count(*)::int as count from callbacks where project_id = $1 and state = 'delivered'",
      values: [projectId],
    };
    await vi.waitFor(async () => expect(await db.run(delivered)).toEqual([{ count: CALLBACKS }]), {
      timeout: 120_000,
      interval: 100,
    });
    await kill(worker);
    receiver.close();

    expect(judge.acceptedCount()).toBe(CALLBACKS);
    expect(judge.faults).toEqual([]);
  },
);
