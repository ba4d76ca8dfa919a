import type { FastifyInstance, FastifyReply } from "fastify";
import type { SandboxDatabase } from "../database.ts";
import { type Speech, speechOf } from "../words/words.ts";
import {
  abandonChallenge,
  answerCode,
  cancelCheckout,
  closeChallenge,
  findByToken,
  finishMethodStep,
  type PagedCharge,
  payCheckout,
} from "./authentications.ts";
import { PATHS } from "./charge-answer.ts";
import { expireCharges } from "./due.ts";
import { newResult, readMethodData, type ThreeDsVersion, writeMethodData } from "./messages.ts";
import { isToken, readForm, sendPage } from "./page.ts";
import {
  type CodeTrouble,
  cancelledPage,
  checkoutPage,
  codePage,
  methodPage,
  returnPage,
  unknownPage,
} from "./pages.ts";
import { RIGHT_CODE } from "./scenario.ts";

export type PageDeps = { readonly db: SandboxDatabase; readonly tell: () => void };

type Form = (name: string) => string;
type ByToken = { readonly Params: { readonly token: string } };

/** A browser cannot sign: these pages are open to every visitor who has the token. */
const OPEN = { config: { unsigned: true } } as const;

/** How the two protocols name what the browser brings and takes back. */
const FIELDS = {
  "2.2.0": { request: "creq", session: "threeDSSessionData", result: "cres" },
  "1.0.2": { request: "PaReq", session: "MD", result: "PaRes" },
} as const;

export function addPageRoutes(server: FastifyInstance, deps: PageDeps): void {
  server.route({
    method: ["GET", "POST"],
    url: PATHS.challenge,
    ...OPEN,
    handler: (request, reply) => serveChallenge(deps, reply, speechOf(request), "2.2.0", readForm(request.body)),
  });

  server.route({
    method: ["GET", "POST"],
    url: PATHS.pareq,
    ...OPEN,
    handler: (request, reply) => serveChallenge(deps, reply, speechOf(request), "1.0.2", readForm(request.body)),
  });

  server.post(PATHS.method, OPEN, async (request, reply) => {
    const speech = speechOf(request);
    const data = readMethodData(readForm(request.body)("threeDSMethodData"));
    if (data === undefined || !isToken(data.serverTransactionId)) return sendPage(reply, unknownPage(speech, 400));
    const charge = await finishMethodStep(deps.db, data.serverTransactionId);
    if (charge === undefined || !haveSameOrigin(charge.return_url, data.notificationUrl))
      return sendPage(reply, unknownPage(speech, 400));
    return sendPage(reply, methodPage(speech, data.notificationUrl, writeMethodData(data.serverTransactionId)));
  });

  server.get<ByToken>(`${PATHS.checkout}/:token`, OPEN, async (request, reply) => {
    const charge = await findFresh(deps.db, "redirect", request.params.token);
    const speech = speechOf(request);
    return sendPage(reply, charge === undefined ? unknownPage(speech, 404) : checkoutPage(speech, charge));
  });

  server.post<ByToken>(`${PATHS.checkout}/:token`, OPEN, async (request, reply) => {
    const charge = await findFresh(deps.db, "redirect", request.params.token);
    if (charge === undefined) return sendPage(reply, unknownPage(speechOf(request), 404));
    const action = readForm(request.body)("action");
    if (action === "pay") await payCheckout(deps.db, charge.reference);
    if (action === "cancel") await cancelCheckout(deps.db, charge.reference);
    deps.tell();
    return reply.header("cache-control", "no-store").redirect(charge.return_url, 303);
  });
}

/** Shows the page, takes the code, or sends the browser back: whichever the charge is ready for. */
async function serveChallenge(
  deps: PageDeps,
  reply: FastifyReply,
  speech: Speech,
  version: ThreeDsVersion,
  form: Form,
): Promise<FastifyReply> {
  const token = form(FIELDS[version].request);
  const before = await findFresh(deps.db, version, token);
  if (before === undefined) return sendPage(reply, unknownPage(speech, 400));
  const trouble = await play(deps.db, version, before, form);
  deps.tell();
  const charge = (await findByToken(deps.db, version, token)) ?? before;
  if (charge.cancelled) return sendPage(reply, cancelledPage(speech, charge));
  const names = FIELDS[version];
  const session = { [names.session]: form(names.session) };
  if (charge.result !== null)
    return sendPage(reply, returnPage(speech, charge, { [names.result]: charge.result, ...session }));
  return sendPage(reply, codePage(speech, charge, { [names.request]: token, ...session }, trouble));
}

/** What the payer did on the page, if anything. Nothing counts once the charge has ended. */
async function play(
  db: SandboxDatabase,
  version: ThreeDsVersion,
  charge: PagedCharge,
  form: Form,
): Promise<CodeTrouble> {
  const { reference, outcome } = charge;
  if (outcome !== null || charge.cancelled) return undefined;
  const ids = { serverTransactionId: charge.server_transaction_id, acsTransactionId: charge.acs_transaction_id };
  const resultOf = (end: "passed" | "failed"): string => newResult(version, ids, end);
  if (charge.status !== "challenge") {
    const end = charge.status === "declined" ? "failed" : "passed";
    await closeChallenge(db, reference, { outcome: end, result: resultOf(end) });
    return undefined;
  }
  if (form("cancel") !== "") {
    await abandonChallenge(db, reference, resultOf("failed"));
    return undefined;
  }
  const shown = form("wrong_codes");
  if (shown === "") return undefined;
  const code = form("code").trim();
  if (code === "") return "missing";
  if (shown !== String(charge.wrong_codes)) return "outdated";
  const right = code === RIGHT_CODE;
  const result = resultOf(right ? "passed" : "failed");
  return (await answerCode(db, { reference, wrongCodes: charge.wrong_codes, right, result })) ? "wrong" : "outdated";
}

/** What is over is over when a visitor looks, not only when the loop comes by. */
async function findFresh(
  db: SandboxDatabase,
  version: ThreeDsVersion | "redirect",
  token: string,
): Promise<PagedCharge | undefined> {
  if (!isToken(token)) return undefined;
  await expireCharges(db);
  return findByToken(db, version, token);
}

/** No visitor can make the sandbox post to an address that the charge was not requested with. */
function haveSameOrigin(one: string, other: string): boolean {
  return URL.canParse(other) && new URL(one).origin === new URL(other).origin;
}
