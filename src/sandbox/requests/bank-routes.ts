import type { FastifyInstance } from "fastify";
import { isToken, readForm, sendPage } from "../cards/page.ts";
import { decimalsOf } from "../cards/pages.ts";
import type { SandboxDatabase } from "../database.ts";
import { speechOf } from "../words/words.ts";
import { type BankNotice, bankPage, noLinkPage } from "./bank-pages.ts";
import { findLinkedPayin, type LinkedPayin } from "./linked-payins.ts";
import { sendMoney, takePayinOver } from "./payins.ts";
import { LINK_PATHS } from "./requisites.ts";

export type BankDeps = { readonly db: SandboxDatabase; readonly tell: () => void };

type ByToken = { readonly Params: { readonly token: string } };
type Form = (name: string) => string;

/** A payer's phone cannot sign: these pages are open to every visitor who has the token. */
const OPEN = { config: { unsigned: true } } as const;
const AMOUNT_MAX = 10_000_000_000_000;

/** The page behind a QR code or a payment link: the sandbox's bank, in which the visitor is the payer. */
export function addBankRoutes(server: FastifyInstance, deps: BankDeps): void {
  for (const path of Object.values(LINK_PATHS)) {
    server.get<ByToken>(`${path}/:token`, OPEN, async (request, reply) => {
      const payin = await find(deps.db, request.params.token);
      const speech = speechOf(request);
      return sendPage(reply, payin === undefined ? noLinkPage(speech) : bankPage(speech, payin, undefined));
    });
    server.post<ByToken>(`${path}/:token`, OPEN, async (request, reply) => {
      const payin = await find(deps.db, request.params.token);
      if (payin === undefined) return sendPage(reply, noLinkPage(speechOf(request)));
      const notice = await play(deps, payin, readForm(request.body));
      const now = (await find(deps.db, request.params.token)) ?? payin;
      return sendPage(reply, bankPage(speechOf(request), now, notice));
    });
  }
}

async function find(db: SandboxDatabase, token: string): Promise<LinkedPayin | undefined> {
  return isToken(token) ? findLinkedPayin(db, token) : undefined;
}

/** What the payer did. A form that is sent twice pays once: it says how often its payer had paid when it was shown. */
async function play({ db, tell }: BankDeps, payin: LinkedPayin, form: Form): Promise<BankNotice> {
  const action = form("action");
  if (form("paid_count") !== String(payin.paid_count)) return "outdated";
  if (action === "refuse") {
    await takePayinOver(db, payin.reference);
    return "refused";
  }
  const amount = action === "pay" ? Number(payin.amount) : readAmount(form("amount"), payin.currency);
  if (amount === undefined) return "wrong_amount";
  await takePayinOver(db, payin.reference);
  await sendMoney(db, payin.reference, amount);
  tell();
  return "paid";
}

/** As people write it, such as `2490.00`; in minor units. */
function readAmount(text: string, currency: string): number | undefined {
  const decimals = decimalsOf(currency);
  const [, whole, fraction = ""] = /^([0-9]{1,13})(?:[.,]([0-9]{1,4}))?$/.exec(text.trim()) ?? [];
  if (whole === undefined || fraction.length > decimals) return undefined;
  const amount = Number(whole + fraction.padEnd(decimals, "0"));
  return amount >= 1 && amount <= AMOUNT_MAX ? amount : undefined;
}
