import type { FastifyInstance } from "fastify";
import type { Secret } from "../../platform/secret.ts";
import { type Answer, CONFLICT, INVALID, RESULT_INVALID, send, UNKNOWN_REFERENCE } from "../answer.ts";
import { listChargeWishes } from "../faults.ts";
import { type ByReference, type ProviderDeps, placeOf, serve } from "../requests/provider-routes.ts";
import { isReference } from "../wire.ts";
import { showCharge } from "./charge-answer.ts";
import type { ChargeDesk } from "./charge-desk.ts";
import { authenticateCharge, hashCharge, insertCharges, NEVER_REQUESTED, newCharge, reverseCharge } from "./charges.ts";
import { expireCharges } from "./due.ts";
import { planCharge } from "./plan-charge.ts";
import {
  type AuthenticationResultBody,
  type ChargeRequestBody,
  readAuthenticationResult,
  readChargeRequest,
} from "./wire.ts";

export type ChargeDeps = ProviderDeps & {
  readonly charges: ChargeDesk;
  /** Hashes card numbers. */
  readonly cardKey: Secret<string>;
  /** Where a browser finds the sandbox. */
  readonly publicUrl: () => string;
};

/** Another charge may take a wish between looking and taking; so often in a row never happens. */
const PLANS_MAX = 50;

/** The card acquirer's business. */
export function addChargeRoutes(server: FastifyInstance, deps: ChargeDeps): void {
  server.post("/cards/charges", async (request, reply) => {
    const body = readChargeRequest(request.body as Buffer);
    if (body === undefined || !URL.canParse(body.return_url) || Number.isNaN(Date.parse(body.expires_at)))
      return send(reply, INVALID);
    const place = { reference: body.reference, projectId: body.project_id, call: "create" } as const;
    return serve(deps, { request, reply, place }, () => createCharge(deps, body));
  });

  server.get<ByReference>("/cards/charges/:reference", (request, reply) =>
    serve(deps, { request, reply, place: placeOf(request, "state") }, (reference) => show(deps, reference)),
  );

  server.post<ByReference>("/cards/charges/:reference/authenticate", async (request, reply) => {
    const result = readAuthenticationResult(request.body as Buffer);
    return serve(deps, { request, reply, place: placeOf(request, "authenticate") }, (reference) =>
      authenticate(deps, reference, result),
    );
  });

  server.post<ByReference>("/cards/charges/:reference/reverse", (request, reply) =>
    serve(deps, { request, reply, place: placeOf(request, "reverse") }, async (reference) => {
      await reverseCharge(deps.db, reference);
      deps.tell();
      return show(deps, reference);
    }),
  );

  server.post<ByReference>("/cards/charges/:reference/cancel", (request, reply) =>
    serve(deps, { request, reply, place: placeOf(request, "cancel") }, async (reference) => {
      if (!isReference(reference)) return UNKNOWN_REFERENCE;
      await deps.charges.cancel(reference);
      deps.tell();
      return show(deps, reference);
    }),
  );
}

async function createCharge(deps: ChargeDeps, body: ChargeRequestBody): Promise<Answer> {
  const { db, charges } = deps;
  const { reference, project_id, amount, card } = body;
  const requestHash = hashCharge(deps.cardKey, body);
  for (let draw = 0; draw < PLANS_MAX; draw += 1) {
    // A charge that is there already takes no wishes; where there can be none, it is enough to look afterwards.
    const stored = draw > 0 || deps.mayHaveFaults() ? await charges.find(reference) : undefined;
    if (stored !== undefined)
      return [requestHash, NEVER_REQUESTED].includes(stored.request_hash)
        ? showCharge(stored, deps.publicUrl())
        : CONFLICT;
    const wishes = deps.mayHaveFaults() ? await listChargeWishes(db, reference, project_id) : [];
    const plan = planCharge(card.pan, BigInt(amount), wishes);
    const charge = newCharge(body, requestHash, plan);
    const made =
      wishes.length === 0
        ? await charges.insert(charge)
        : (await insertCharges(db, [charge], wishes)).has(charge.reference);
    deps.tell();
    if (made && plan.silent) return { ...(await show(deps, reference)), lost: true };
    // Made by this call or by a twin of it, it is found in the next round.
  }
  throw new Error("no charge could be made");
}

async function show({ charges, publicUrl }: ChargeDeps, reference: string): Promise<Answer> {
  const charge = await charges.find(reference);
  return charge === undefined ? UNKNOWN_REFERENCE : showCharge(charge, publicUrl());
}

/** A result that cannot be one at all, cut off or made up, is as false as any other. */
async function authenticate(
  deps: ChargeDeps,
  reference: string,
  result: AuthenticationResultBody | undefined,
): Promise<Answer> {
  // What is late is over when the answer is given, not only when the loop comes by.
  await expireCharges(deps.db);
  const known = result !== undefined && (await authenticateCharge(deps.db, reference, result));
  deps.tell();
  const answer = await show(deps, reference);
  return known || answer === UNKNOWN_REFERENCE ? answer : RESULT_INVALID;
}
