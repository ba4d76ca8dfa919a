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
} from "../answer.ts";
import type { SandboxDatabase } from "../database.ts";
import { type AnswerFault, type FaultPlace, takeFault } from "../faults.ts";
import { type PayoutRequestBody, readPayinRequest, readPayoutRequest } from "../wire.ts";
import type { PayinDesk } from "./payin-desk.ts";
import { findPayout, hashPayout, insertPayout, type StoredPayout } from "./payouts.ts";
import { payoutScenario } from "./scenario.ts";

export type ProviderDeps = {
  readonly db: SandboxDatabase;
  readonly payins: PayinDesk;
  readonly mayHaveFaults: () => boolean;
  /** There is something to tell. What happens later needs no waking: the loop looks more often than that. */
  readonly tell: () => void;
  readonly closing: AbortSignal;
};

/** The provider's business: what a connector calls, and where faults strike. */
export function addProviderRoutes(server: FastifyInstance, deps: ProviderDeps): void {
  const { db, payins } = deps;

  server.post("/payins", async (request, reply) => {
    const body = readPayinRequest(request.body as Buffer);
    if (body === undefined || Number.isNaN(Date.parse(body.expires_at))) return send(reply, INVALID);
    const place = { reference: body.reference, projectId: body.project_id, call: "create" } as const;
    return serve(deps, { request, reply, place }, () => payins.create(body));
  });

  server.get<ByReference>("/payins/:reference", (request, reply) =>
    serve(deps, { request, reply, place: placeOf(request, "state") }, payins.show),
  );

  server.post<ByReference>("/payins/:reference/confirm", (request, reply) =>
    serve(deps, { request, reply, place: placeOf(request, "confirm") }, payins.confirm),
  );

  server.post<ByReference>("/payins/:reference/release", (request, reply) =>
    serve(deps, { request, reply, place: placeOf(request, "release") }, payins.release),
  );

  server.post("/payouts", async (request, reply) => {
    const body = readPayoutRequest(request.body as Buffer);
    if (body === undefined) return send(reply, INVALID);
    const place = { reference: body.reference, projectId: body.project_id, call: "create" } as const;
    return serve(deps, { request, reply, place }, () => createPayout(deps, body));
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
  return sendWithFault(request, reply, answer, { taken, closing: deps.closing });
}

async function createPayout({ db, tell }: ProviderDeps, body: PayoutRequestBody): Promise<Answer> {
  await insertPayout(db, body, payoutScenario(BigInt(body.amount)));
  tell();
  return replay(await findPayout(db, body.reference), hashPayout(body));
}

/** The same reference with the same request answers the request; with another it is a conflict. */
function replay(stored: StoredPayout | undefined, requestHash: string): Answer {
  if (stored === undefined) return UNKNOWN_REFERENCE;
  return stored.request_hash === requestHash ? answerJson(stored.answer) : CONFLICT;
}

function show(stored: StoredPayout | undefined): Answer {
  return stored === undefined ? UNKNOWN_REFERENCE : answerJson(stored.answer);
}
