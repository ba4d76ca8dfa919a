import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createTillgate, credentialsFromSandboxFile, type TillgateCallback } from "../../sdk/src/index.ts";
import { findId } from "../../src/core/ids.ts";
import { callbackRow } from "../../src/testing/builders/callbacks.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";

/** What a developer and an operator do about callbacks, with the program itself against a running service. */
const PROGRAM = fileURLToPath(new URL("../../bin/tillgate.mjs", import.meta.url));
const database = useTestDatabase();
const service = useTestService(database);

function start(...words: string[]): ChildProcess & { readonly stdout: NodeJS.ReadableStream } {
  const env = { PATH: process.env.PATH, DATABASE_URL: database.url, TILLGATE_DATA_DIR: service.stateDir };
  return spawn(process.execPath, [PROGRAM, ...words], { env, stdio: ["ignore", "pipe", "ignore"] }) as never;
}

async function tillgate(...words: string[]): Promise<string> {
  const child = start(...words);
  let printed = "";
  child.stdout.on("data", (chunk) => {
    printed += chunk;
  });
  const [status] = await once(child, "close");
  expect(status).toBe(0);
  return printed;
}

type Heard = { readonly genuine: boolean; readonly webhook_signature: string; readonly body: TillgateCallback };

describe("tillgate listen --set", () => {
  const heard: Heard[] = [];
  let listener: ReturnType<typeof start>;

  beforeAll(async () => {
    listener = start("listen", "--port", "0", "--set", "--json");
    createInterface(listener.stdout).on("line", (line) => heard.push(JSON.parse(line)));
    await vi.waitFor(
      async () => {
        const [row] = await database.db.run<{ url: string | null }>({
          text: "select callback_url as url from projects where id = $1",
          values: [service.sandbox().project_id],
        });
        expect(row?.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
      },
      { timeout: 60_000 },
    );
  });
  afterAll(() => listener.kill("SIGKILL"));

  const waitFor = (check: (callback: Heard) => boolean, count = 1) =>
    vi.waitFor(
      () => {
        const found = heard.filter(check);
        expect(found.length).toBeGreaterThanOrEqual(count);
        return found;
      },
      { timeout: 60_000, interval: 20 },
    );

  it("hears every step of a payment, and finds both signatures good", { timeout: 240_000 }, async () => {
    const credentials = credentialsFromSandboxFile(service.sandbox());
    const { p2p } = createTillgate({ baseUrl: service.url(), credentials });
    await p2p.payin.create({
      general: { payment_id: "heard-1" },
      payment: { method: "card-p2p", amount: 250001, currency: "RUB" },
      customer: { id: "customer-1", ip_address: "192.0.2.1" },
    });
    await waitFor(({ body }) => body.status.status === "success");
    expect(heard.map(({ body }) => body.event.sequence)).toEqual([2, 3, 4]);
    expect(heard.map(({ genuine }) => genuine)).toEqual([true, true, true]);
  });

  it("hears a delivered one again when an operator replays it: the same event, signed anew", async () => {
    const [success] = await waitFor(({ body }) => body.status.status === "success");
    const { id } = success?.body.event ?? { id: "" };
    expect(await tillgate("callback", "replay", id)).toBe("1 callback is sent again, now.\n");
    const twice = await waitFor(({ body }) => body.event.id === id, 2);
    expect(twice.map(({ genuine }) => genuine)).toEqual([true, true]);
    await vi.waitFor(async () => expect((await shown(id)).state).toBe("delivered"), { timeout: 60_000 });
    const { attempts } = await shown(id);
    expect(attempts).toMatchObject([
      { number: 1, status: 204 },
      { number: 2, status: 204 },
    ]);
  });

  it("hears that a key was replaced at once, since it knows only the old one", async () => {
    const projectId = service.sandbox().project_id;
    const [success] = await waitFor(({ body }) => body.status.status === "success");
    const rotate = ["callback", "key", "rotate", "--project", projectId, "--kind", "webhook"];
    await tillgate(...rotate, "--overlap", "7");
    await service.settled();
    const count = heard.length;
    await tillgate("callback", "replay", success?.body.event.id ?? "");
    await vi.waitFor(() => expect(heard.length).toBe(count + 1), { timeout: 60_000 });
    expect(heard.at(-1)?.genuine).toBe(true);
    await tillgate(...rotate, "--overlap", "0");
    await service.settled();
    await tillgate("callback", "replay", success?.body.event.id ?? "");
    await waitFor(({ webhook_signature }) => webhook_signature === "webhook-signature does not fit");
  });

  it("ends with Ctrl-C, in good order", async () => {
    const closed = once(listener, "close");
    listener.kill("SIGINT");
    expect(await closed).toEqual([0, null]);
  });

  it("a dead callback that is replayed in vain is retried from the beginning of the schedule", {
    timeout: 60_000,
  }, async () => {
    const [success] = await waitFor(({ body }) => body.status.status === "success");
    const id = findId(success?.body.event.id ?? "");
    const projectId = findId(service.sandbox().project_id);
    if (id === undefined || projectId === undefined) throw new Error("no event");
    const { attempts } = await shown(id);
    await database.db.run({
      text: `with tried as (
               insert into callback_attempts (project_id, callback_id, number, started_at, latency_ms, status)
               select $1, $2, n, now(), 1, 500 from generate_series($3::int + 1, 20) n)
             update callbacks set state = 'dead', due_at = null, delivered_at = null, attempt_count = 20,
                    lease_until = null, schedule_from = 0
              where project_id = $1 and id = $2`,
      values: [projectId, id, attempts.length],
    });
    expect(JSON.parse(await tillgate("callback", "list", "--state", "dead", "--json")).callbacks).toMatchObject([
      { callback_id: id, attempt_count: 20 },
    ]);
    await tillgate("callback", "replay", "--project", projectId);
    await vi.waitFor(async () => expect((await callbackRow(database.db, { projectId, id })).attemptCount).toBe(21), {
      timeout: 60_000,
    });
    const row = await callbackRow(database.db, { projectId, id });
    expect(row).toMatchObject({ state: "pending", scheduleFrom: 20 });
    expect(row.dueInS).toBeLessThan(7);
    expect((await shown(id)).attempts.at(-1)).toMatchObject({ number: 21, status: null, failure: "connect_failed" });
  });
});

async function shown(id: string): Promise<{ state: string; attempts: readonly { number: number }[] }> {
  return JSON.parse(await tillgate("callback", "show", id, "--json"));
}
