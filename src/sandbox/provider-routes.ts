import { randomInt } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import {
  type Answer,
  answerJson,
  BROKEN,
  CONFLICT,
  INVALID,
  send,
  sendWithFault,
  UNKNOWN_REFERENCE,
} from "./answer.ts";
import type { SandboxDatabase } from "./database.ts";
import { type AnswerFault, type FaultPlace, takeFault } from "./faults.ts";
import { confirmPayin, findPayin, hashPayin, insertPayin, releasePayin, type StoredRequest } from "./payins.ts";
import { findPayout, hashPayout, insertPayout } from "./payouts.ts";
import { makeRequisites } from "./requisites.ts";
import { payinScenario, payoutScenario } from "./scenario.ts";
import { type PayinRequestBody, type PayoutRequestBody, readPayinRequest, readPayoutRequest } from "./wire.ts";

export type ProviderDeps = {
  readonly db: SandboxDatabase;
  readonly mayHaveFaults: () => boolean;
  /** There may be something to tell. What happens later needs no waking: the loop looks more often than that. */
  readonly tell: () => void;
  readonly closing: AbortSignal;
};

/** What is drawn may be lent to another open order of the same amount; so many unlucky draws never happen. */
const DRAWS_MAX = 50;

/** The provider's business: what a connector calls, and where faults strike. */
export function addProviderRoutes(server: FastifyInstance, deps: ProviderDeps): void {
  const { db } = deps;

  server.post("/payins", async (request, reply) => {
    const body = readPayinRequest(request.body as Buffer);
    if (body === undefined || Number.isNaN(Date.parse(body.expires_at))) return send(reply, INVALID);
    const place = { reference: body.reference, projectId: body.project_id, call: "create" } as const;
    return serve(deps, { request, reply, place }, () => createPayin(db, body));
  });

  server.get<ByReference>("/payins/:reference", (request, reply) =>
    serve(deps, { request, reply, place: placeOf(request, "state") }, (reference) => showPayin(db, reference)),
  );

  server.post<ByReference>("/payins/:reference/confirm", (request, reply) =>
    serve(deps, { request, reply, place: placeOf(request, "confirm") }, async (reference) => {
      await confirmPayin(db, reference);
      return showPayin(db, reference);
    }),
  );

  server.post<ByReference>("/payins/:reference/release", (request, reply) =>
    serve(deps, { request, reply, place: placeOf(request, "release") }, async (reference) => {
      await releasePayin(db, reference);
      return showPayin(db, reference);
    }),
  );

  server.post("/payouts", async (request, reply) => {
    const body = readPayoutRequest(request.body as Buffer);
    if (body === undefined) return send(reply, INVALID);
    const place = { reference: body.reference, projectId: body.project_id, call: "create" } as const;
    return serve(deps, { request, reply, place }, () => createPayout(db, body));
  });

  server.get<ByReference>("/payouts/:reference", (request, reply) =>
    serve(deps, { request, reply, place: placeOf(request, "state") }, async (reference) =>
      show(await findPayout(db, reference)),
    ),
  );
}

export type ByReference = { readonly Params: { readonly reference: string } };

export function placeOf(request: FastifyRequest<ByReference>, call: FaultPlace["call"]): FaultPlace {
  return { reference: request.params.reference, projectId: undefined, call };
}

export async function serve(
  deps: ProviderDeps,
  exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly place: FaultPlace },
  work: (reference: string) => Promise<Answer>,
): Promise<FastifyReply> {
  const { request, reply, place } = exchange;
  const taken = deps.mayHaveFaults() ? await takeFault<AnswerFault>(deps.db, place) : undefined;
  if (taken?.kind === "error500_before") return send(reply, BROKEN);
  const answer = await work(place.reference);
  if (request.method === "POST") deps.tell();
  return sendWithFault(request, reply, answer, { taken, closing: deps.closing });
}

async function createPayin(db: SandboxDatabase, body: PayinRequestBody): Promise<Answer> {
  const amount = BigInt(body.amount);
  const scenario = payinScenario(amount);
  const wish = { method: body.method, currency: body.currency, amount, bank: body.bank?.symbol };
  for (let draw = 0; draw < DRAWS_MAX; draw += 1) {
    const requisites = scenario.requisites ? makeRequisites(wish, randomInt) : undefined;
    const made = await insertPayin(db, body, scenario, requisites);
    const stored = await findPayin(db, body.reference);
    // Neither made nor there already: the requisite is lent to another request.
    if (made || stored !== undefined) return replay(stored, hashPayin(body));
  }
  throw new Error("no requisite is free");
}

async function createPayout(db: SandboxDatabase, body: PayoutRequestBody): Promise<Answer> {
  await insertPayout(db, body, payoutScenario(BigInt(body.amount)));
  return replay(await findPayout(db, body.reference), hashPayout(body));
}

/** The same reference with the same request answers the request; with another it is a conflict. */
function replay(stored: StoredRequest | undefined, requestHash: string): Answer {
  if (stored === undefined) return UNKNOWN_REFERENCE;
  return stored.request_hash === requestHash ? answerJson(stored.answer) : CONFLICT;
}

async function showPayin(db: SandboxDatabase, reference: string): Promise<Answer> {
  return show(await findPayin(db, reference));
}

function show(stored: StoredRequest | undefined): Answer {
  return stored === undefined ? UNKNOWN_REFERENCE : answerJson(stored.answer);
}
