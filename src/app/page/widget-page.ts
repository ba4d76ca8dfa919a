import { listTestCards } from "../../core/cards/test-cards.ts";
import { decimalsOf } from "../../core/currency.ts";
import { type Fault, fault } from "../../core/errors.ts";
import { minorToJson } from "../../core/money.ts";
import { isChargeUnderWay } from "../../core/page/charge-under-way.ts";
import { type PageAction, type PageStep, pageActionsOf, pageStepOf } from "../../core/page/page-step.ts";
import { wireStatus } from "../../core/payments/states.ts";
import { shownRequisites } from "../../core/payments/view.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Keyring } from "../../platform/secrets.ts";
import { findCardPayin } from "../../store/cards/card-payins.ts";
import type { Database } from "../../store/db.ts";
import { findPayerPage, findPayerPageOfToken } from "../../store/page/payer-pages.ts";
import { findPayment, type StoredPayment } from "../../store/payments/payments.ts";
import { unsealPageToken } from "../cards/card-secrets.ts";
import { needsHolder } from "../cards/choose-acquirer.ts";
import type { Directory, DirectoryProject } from "../merchants/directory.ts";
import type { ApplyPayment } from "../payments/apply-payments.ts";
import { withBankName } from "../payments/payment-answers.ts";
import { unsealRequisites } from "../payments/payment-secrets.ts";
import { chanceOf, changeMethod, mayChange, type SecondChance } from "./change-method.ts";
import { type ChooseDeps, chooseMethod, type PayerDecision } from "./choose-method.ts";
import { offersFor } from "./create-widget.ts";
import { type OfferedBank, offeredBanks, type TransferBanks, transferBanks } from "./offered-banks.ts";
import { languageOf, type PageLanguage } from "./page-language.ts";
import { formUrlOf, hashPageToken } from "./page-secrets.ts";
import { type Receipt, receiptOf, type ShopView, shopOf } from "./page-trust.ts";
import { pageUrl } from "./payer-step.ts";

/** The hosted page: what it shows, and what its payer may do. A visitor with the token is treated as the payer. */
export type WidgetPageDeps = ChooseDeps & {
  readonly db: Database;
  readonly keyring: Keyring;
  readonly apply: ApplyPayment;
  readonly publicUrl: () => string;
  readonly currentDirectory: () => Directory | Promise<Directory>;
  readonly redirectUrlOf: (payment: StoredPayment) => string | undefined;
  readonly mode: "development" | "production";
  /** The legal name of the company that runs the service. */
  readonly operatorName: string | undefined;
};

type OfferedMethod = {
  readonly code: string;
  readonly card: boolean;
  /** Of a card: whether the payer gives the holder's name. `none`: no acquirer needs it, so the form does not ask. */
  readonly holder?: "required" | "none";
  /** Where the payer says which bank the transfer comes from: those that the method takes. */
  readonly banks?: readonly OfferedBank[];
};

/** All that the page draws. Members that do not apply are absent. */
export type PageView = TransferBanks & {
  readonly step: PageStep;
  readonly actions: readonly PageAction[];
  readonly order: string;
  readonly description?: string;
  readonly amount: number;
  readonly currency: string;
  /** Of the currency's minor unit; browsers disagree on some. */
  readonly decimals: number;
  readonly status: string;
  readonly sub_status: string | null;
  readonly decline_code: string | null;
  readonly shop: ShopView;
  /** No real money moves. */
  readonly test?: true;
  readonly operator?: { readonly name: string };
  /** A card is being charged: there is no way back to the shop meanwhile. */
  readonly charging?: true;
  readonly receipt?: Receipt;
  readonly language: PageLanguage;
  readonly server_time: string;
  readonly expires_at: string | null;
  /** When the time of the present step is over: the lifetime, or the grace period. */
  readonly until: string | null;
  readonly method?: string;
  readonly methods?: readonly OfferedMethod[];
  readonly preselected?: string;
  /** Of test projects, where a card can be typed in: the cards that they take, and what each does. */
  readonly test_cards?: ReturnType<typeof listTestCards>;
  /** The payer chooses again, since the last choice came to nothing: how often still, and why. */
  readonly chance?: SecondChance;
  readonly requisites?: object;
  readonly challenge_url?: string;
  /** Issuers' pages are made for frames; those of providers want the window. */
  readonly challenge_in_frame?: boolean;
  readonly back_url?: string;
  /** Whose pages may show this one in a frame, and are told how it ended. */
  readonly frame_origins: readonly string[];
};

export type OpenPage = {
  readonly payment: StoredPayment;
  readonly project: DirectoryProject;
  readonly directory: Directory;
  /** What the browser that asks says of its reader. */
  readonly acceptLanguage?: string | undefined;
};

const PAGE_TOKEN = /^[0-9a-f]{40}$/;

export async function openPage(deps: WidgetPageDeps, token: string): Promise<Result<OpenPage, Fault>> {
  const unknown = fail(fault("payment_not_found", "there is no such payment"));
  if (!PAGE_TOKEN.test(token)) return unknown;
  const row = await findPayerPageOfToken(deps.db, hashPageToken(deps.keyring, token));
  const payment = row && (await findPayment(deps.db, row.projectId, row.requestId));
  const directory = await deps.currentDirectory();
  const project = payment && directory.projects.get(payment.projectId);
  return payment === undefined || project === undefined ? unknown : ok({ payment, project, directory });
}

/** Where the payer of a hosted page goes back to; undefined for payments that have none. */
export async function findHostedPage(
  deps: Pick<WidgetPageDeps, "db" | "keyring" | "publicUrl">,
  { projectId, requestId, product }: Pick<StoredPayment, "projectId" | "requestId" | "product">,
): Promise<string | undefined> {
  if (product !== "widget") return undefined;
  const row = await findPayerPage(deps.db, projectId, requestId);
  return row && formUrlOf(deps.keyring, deps.publicUrl(), row);
}

export async function viewPage(deps: WidgetPageDeps, page: OpenPage): Promise<PageView> {
  const { payment, project, directory } = page;
  const step = pageStepOf(payment);
  const { description } = payment.request;
  const backUrl = deps.redirectUrlOf(payment);
  const charging = isChargeUnderWay(step, payment.method);
  return {
    step,
    actions: pageActionsOf(step, { mayChange: mayChange(deps, project, payment, step) }),
    order: payment.paymentId,
    ...(description === undefined ? {} : { description }),
    amount: minorToJson(payment.requestedAmount),
    currency: payment.currency,
    decimals: decimalsOf(payment.currency),
    ...wireStatus(payment.state),
    decline_code: payment.declineCode,
    shop: shopOf(project),
    ...(project.book === "test" ? { test: true } : {}),
    ...(deps.operatorName === undefined ? {} : { operator: { name: deps.operatorName } }),
    language: languageOf(payment, page.acceptLanguage),
    server_time: new Date(deps.clock.nowMs()).toISOString(),
    expires_at: payment.expiresAt?.toISOString() ?? null,
    until: payment.deadlineAt?.toISOString() ?? null,
    ...(payment.method === null ? {} : { method: payment.method }),
    ...(step === "choose" ? choicesOf(deps, directory, project, payment) : {}),
    ...(step === "choose" ? await chanceOf(deps, project, payment) : {}),
    ...(payment.requisites === null ? {} : requisitesOf(deps, directory, payment, payment.requisites)),
    ...(step === "challenge" ? await challengeOf(deps, payment) : {}),
    ...(step === "success" ? { receipt: await receiptOf(deps.db, payment) } : {}),
    ...(charging ? { charging } : {}),
    ...(backUrl === undefined || charging ? {} : { back_url: withPaymentId(backUrl, payment.paymentId) }),
    frame_origins: frameOriginsOf(deps, project),
  };
}

/** In development our own pages may too, for the demo shop. */
function frameOriginsOf(deps: WidgetPageDeps, project: DirectoryProject): readonly string[] {
  const own = deps.mode === "development" ? [new URL(deps.publicUrl()).origin] : [];
  return [...project.widgetOrigins, ...own];
}

function choicesOf(
  deps: WidgetPageDeps,
  directory: Directory,
  project: DirectoryProject,
  payment: StoredPayment,
): Pick<PageView, "methods" | "preselected" | "test_cards"> {
  const { customer, widgetMethod } = payment.request;
  const country = typeof customer?.country === "string" ? customer.country : undefined;
  const offers = offersFor(deps, directory, project, {
    currency: payment.currency,
    amount: payment.requestedAmount,
    country,
    paymentSystem: payment.request.paymentSystem,
  });
  const methods = (offers.ok ? offers.value : []).flatMap(
    ({ code, method, needsBank, product, terms }): OfferedMethod[] => {
      const offered = { code, card: product === "ecom" };
      if (offered.card) {
        return [{ ...offered, holder: needsHolder(deps, directory, { ...payment, method }) ? "required" : "none" }];
      }
      if (!needsBank) return [offered];
      const banks = offeredBanks(directory, terms);
      // Where no bank of the country is known, there is none to choose.
      return banks.length === 0 ? [] : [{ ...offered, banks }];
    },
  );
  const testCards = methods.some(({ card }) => card) ? listTestCards(project.book) : [];
  return {
    methods,
    ...(widgetMethod === undefined ? {} : { preselected: widgetMethod }),
    ...(testCards.length === 0 ? {} : { test_cards: testCards }),
  };
}

function requisitesOf(
  deps: WidgetPageDeps,
  directory: Directory,
  payment: StoredPayment,
  sealed: Buffer,
): Pick<PageView, "requisites" | keyof TransferBanks> {
  const opened = unsealRequisites(deps.keyring, payment.requestId, sealed);
  return {
    requisites: shownRequisites(payment, withBankName(opened, directory)),
    ...transferBanks(directory, payment, opened.bank),
  };
}

async function challengeOf(
  deps: WidgetPageDeps,
  payment: StoredPayment,
): Promise<Pick<PageView, "challenge_url" | "challenge_in_frame">> {
  const row = await findCardPayin(deps.db, payment.projectId, payment.requestId);
  if (row === undefined) return {};
  const token = unsealPageToken(deps.keyring, payment.requestId, row.pageToken);
  return {
    challenge_url: pageUrl(deps.publicUrl(), token),
    challenge_in_frame: payment.state === "processing:awaiting_3ds_result",
  };
}

function withPaymentId(target: string, paymentId: string): string {
  const url = new URL(target);
  url.searchParams.set("payment_id", paymentId);
  return url.href;
}

/** The payer's own deeds. Done twice, or in two tabs, they answer what there is now. */
export async function actOnPage(
  deps: WidgetPageDeps,
  page: OpenPage,
  deed:
    | { readonly kind: "confirm" | "cancel" | "change" }
    | { readonly kind: "choose"; readonly decision: PayerDecision },
): Promise<Result<StoredPayment, Fault>> {
  const { payment, project, directory } = page;
  if (deed.kind === "choose") return chooseMethod(deps, directory, project, payment, deed.decision);
  if (deed.kind === "change") return changeMethod(deps, project, payment);
  const { projectId, requestId } = payment;
  const event = deed.kind === "confirm" ? "confirmed" : "cancelled";
  const applied = await deps.apply({ projectId, requestId, payin: { kind: event }, actor: "payer" });
  return applied.ok ? applied : fail(fault("wrong_state", "this cannot be done any more"));
}
