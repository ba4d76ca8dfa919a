import type { FastifyInstance } from "fastify";
import { type Answer, answerJson, DONE, INVALID, send, UNKNOWN_REFERENCE } from "./answer.ts";
import { listEntries, readBooks } from "./books.ts";
import type { SandboxDatabase } from "./database.ts";
import { moveClock } from "./due.ts";
import { addFault, clearFaults, listFaults } from "./faults.ts";
import type { PayinDesk } from "./requests/payin-desk.ts";
import { cancelPayin, sendMoney, takeMoneyBack, takePayinOver } from "./requests/payins.ts";
import { endPayout, findPayout, type StoredPayout, takePayoutOver } from "./requests/payouts.ts";
import { readClockMove, readFault, readMoney, readPayoutEnd, readSettings } from "./wire.ts";

export type PlayDeps = {
  readonly db: SandboxDatabase;
  readonly payins: PayinDesk;
  /** Does what is due by now. */
  readonly settle: () => Promise<void>;
  /** Due times have changed. */
  readonly wake: () => void;
  readonly tell: () => void;
  readonly expectFaults: () => void;
  readonly setNotifyUrl: (url: string) => Promise<void>;
  readonly setPublicUrl: (url: string) => Promise<void>;
};

type ByReference = { readonly Params: { readonly reference: string } };
type ByProject = { readonly Querystring: { readonly project_id?: string } };
type Page = {
  readonly Querystring: { readonly project_id?: string; readonly after?: string; readonly limit?: string };
};

const ENTRIES_DEFAULT = 100;
const ENTRIES_MAX = 1_000;

/** What only a sandbox has: its clock, its books open to all, its faults, and a tester who plays the bank. */
export function addPlayRoutes(server: FastifyInstance, deps: PlayDeps): void {
  const { db } = deps;

  server.post("/clock", async (request, reply) => {
    const move = readClockMove(request.body as Buffer);
    if (move === undefined) return send(reply, INVALID);
    await moveClock(db, move.project_id, move.seconds);
    // What became due has happened when the answer is there, so that the caller need not wait for it.
    await deps.settle();
    deps.wake();
    return send(reply, DONE);
  });

  server.get<ByProject>("/books", async (request, reply) =>
    send(reply, answerJson(await readBooks(db, request.query.project_id))),
  );

  server.get<Page>("/books/entries", async (request, reply) => {
    const after = readCount(request.query.after, 0, Number.MAX_SAFE_INTEGER);
    const limit = readCount(request.query.limit, ENTRIES_DEFAULT, ENTRIES_MAX);
    if (after === undefined || limit === undefined || limit === 0) return send(reply, INVALID);
    return send(reply, answerJson(await listEntries(db, { projectId: request.query.project_id, after, limit })));
  });

  server.post("/faults", async (request, reply) => {
    const body = readFault(request.body as Buffer);
    if (body === undefined || (body.project_id === undefined) === (body.reference === undefined))
      return send(reply, INVALID);
    await addFault(db, body);
    deps.expectFaults();
    return send(reply, DONE);
  });

  server.get<ByProject>("/faults", async (request, reply) => {
    if (request.query.project_id === undefined) return send(reply, INVALID);
    return send(reply, answerJson(await listFaults(db, request.query.project_id)));
  });

  server.delete<ByProject>("/faults", async (request, reply) => {
    if (request.query.project_id === undefined) return send(reply, INVALID);
    await clearFaults(db, request.query.project_id);
    return send(reply, DONE);
  });

  server.post("/settings", async (request, reply) => {
    const settings = readSettings(request.body as Buffer);
    const { notify_url, public_url } = settings ?? {};
    if (notify_url === undefined || ![notify_url, public_url ?? notify_url].every((url) => URL.canParse(url)))
      return send(reply, INVALID);
    if (public_url !== undefined) await deps.setPublicUrl(public_url);
    await deps.setNotifyUrl(notify_url);
    return send(reply, DONE);
  });

  addTesterRoutes(server, deps);
}

function addTesterRoutes(server: FastifyInstance, deps: PlayDeps): void {
  const { db, payins } = deps;

  server.post<ByReference>("/play/payins/:reference/transfer", async (request, reply) => {
    const money = readMoney(request.body as Buffer);
    if (money === undefined) return send(reply, INVALID);
    await sendMoney(db, request.params.reference, money.amount);
    deps.tell();
    return send(reply, await payins.show(request.params.reference));
  });

  server.post<ByReference>("/play/payins/:reference/take-over", async (request, reply) => {
    await takePayinOver(db, request.params.reference);
    return send(reply, await payins.show(request.params.reference));
  });

  server.post<ByReference>("/play/payins/:reference/cancel", async (request, reply) => {
    await cancelPayin(db, request.params.reference);
    deps.tell();
    return send(reply, await payins.show(request.params.reference));
  });

  server.post<ByReference>("/play/payins/:reference/take-back", async (request, reply) => {
    await takeMoneyBack(db, request.params.reference);
    deps.tell();
    return send(reply, await payins.show(request.params.reference));
  });

  server.post<ByReference>("/play/payouts/:reference/take-over", async (request, reply) => {
    await takePayoutOver(db, request.params.reference);
    return send(reply, show(await findPayout(db, request.params.reference)));
  });

  server.post<ByReference>("/play/payouts/:reference/end", async (request, reply) => {
    const end = readPayoutEnd(request.body as Buffer);
    if (end === undefined) return send(reply, INVALID);
    await endPayout(db, request.params.reference, end);
    deps.tell();
    return send(reply, show(await findPayout(db, request.params.reference)));
  });
}

function show(stored: StoredPayout | undefined): Answer {
  return stored === undefined ? UNKNOWN_REFERENCE : answerJson(stored.answer);
}

function readCount(text: string | undefined, absent: number, max: number): number | undefined {
  if (text === undefined) return absent;
  const count = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN;
  return count <= max ? count : undefined;
}
