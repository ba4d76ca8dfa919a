import type { FastifyInstance } from "fastify";
import { answerJson, INVALID, send, UNKNOWN_REFERENCE } from "../answer.ts";
import type { ByReference } from "../requests/provider-routes.ts";
import { showCharge } from "./charge-answer.ts";
import type { ChargeDeps } from "./charge-routes.ts";
import { endCharge, findBrowser, findCharge, tellAgain } from "./charges.ts";
import { readChargeEnd } from "./wire.ts";

/** A tester plays the card acquirer. */
export function addPlayChargeRoutes(server: FastifyInstance, deps: ChargeDeps): void {
  const { db, publicUrl } = deps;

  server.post<ByReference>("/play/charges/:reference/end", async (request, reply) => {
    const end = readChargeEnd(request.body as Buffer);
    if (end === undefined) return send(reply, INVALID);
    await endCharge(db, request.params.reference, end);
    deps.tell();
    const charge = await findCharge(db, request.params.reference);
    return send(reply, charge === undefined ? UNKNOWN_REFERENCE : showCharge(charge, publicUrl()));
  });

  server.get<ByReference>("/play/charges/:reference", async (request, reply) => {
    const charge = await findCharge(db, request.params.reference);
    return send(reply, charge === undefined ? UNKNOWN_REFERENCE : showCharge(charge, publicUrl()));
  });

  server.get<ByReference>("/play/charges/:reference/browser", async (request, reply) => {
    const found = await findBrowser(db, request.params.reference);
    return send(reply, found === undefined ? UNKNOWN_REFERENCE : answerJson(JSON.stringify(found)));
  });

  server.post<ByReference>("/play/charges/:reference/tell", async (request, reply) => {
    await tellAgain(db, request.params.reference);
    deps.tell();
    const charge = await findCharge(db, request.params.reference);
    return send(reply, charge === undefined ? UNKNOWN_REFERENCE : showCharge(charge, publicUrl()));
  });
}
