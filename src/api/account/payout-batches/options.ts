import { Type } from "typebox";
import type { Directory, DirectoryProject } from "../../../app/merchants/directory.ts";
import { readApprovalLimits, setApprovalLimit } from "../../../app/payout-batches/approval-limits.ts";
import { findCurrency } from "../../../core/currency.ts";
import { listMethodOffers } from "../../../core/merchants/methods.ts";
import { AMOUNT_MAX, type Minor, minorToJson } from "../../../core/money.ts";
import { takesBank } from "../../../core/payments/create-rules.ts";
import { receiverForm } from "../../../core/payments/receiver.ts";
import { accountFault } from "../../../core/people/account-fault.ts";
import { fail, ok } from "../../../core/result.ts";
import { CLOSED } from "../../merchant/blocks.ts";
import { currencyCode } from "../../merchant/text-forms.ts";
import { NO_PROJECT, reportQuery } from "../report-query.ts";
import { get, idOf, post } from "../route.ts";

/** What a form for a payout offers, and above which sums a second person is needed. */
export const OPTION_ROUTES = [
  get({
    path: "payout-options",
    right: "payouts.make",
    query: reportQuery("project"),
    handler: async (deps, { merchantId, query }) => {
      const directory = await deps.currentDirectory();
      const project = directory.projects.get(idOf(query.project));
      return project?.merchantId === merchantId ? ok({ json: optionsJson(directory, project) }) : fail(NO_PROJECT);
    },
  }),
  get({
    path: "payout-approval",
    right: "payouts.make",
    handler: async (deps, { merchantId }) => {
      const directory = await deps.currentDirectory();
      const limits = await readApprovalLimits(deps.db, merchantId);
      return ok({
        json: {
          currencies: currenciesOf(directory, merchantId),
          limits: limits.map(({ currency, amount }) => ({ currency, amount: minorToJson(amount) })),
        },
      });
    },
  }),
  post({
    path: "payout-approval",
    right: "security.manage",
    stepUp: true,
    body: Type.Object(
      {
        currency: currencyCode,
        amount: Type.Union([Type.Integer({ minimum: 0, maximum: minorToJson(AMOUNT_MAX) }), Type.Null()]),
      },
      CLOSED,
    ),
    handler: async (deps, { merchantId, actor, body }) => {
      const currency = findCurrency(body.currency);
      if (currency === undefined) return fail(accountFault("validation_failed", "currency must be one of ISO 4217"));
      const amount = body.amount === null ? null : (BigInt(body.amount) as Minor);
      await setApprovalLimit(deps.db, { merchantId, actor }, { currency, amount });
      return ok({ json: {} });
    },
  }),
];

/** Of the enabled payout methods of a merchant's projects. */
function currenciesOf({ projects }: Directory, merchantId: string): string[] {
  const own = [...projects.values()].filter((project) => project.merchantId === merchantId);
  const methods = own.flatMap((project) => project.methods);
  const paid = methods.filter(({ direction, enabled }) => direction === "payout" && enabled);
  return [...new Set(paid.map(({ currency }) => currency as string))].sort();
}

const PAYOUT_OFFERS = listMethodOffers().filter(({ direction }) => direction === "payout");

function optionsJson({ banks }: Directory, project: DirectoryProject): object {
  const enabled = project.methods.filter((terms) => terms.direction === "payout" && terms.enabled);
  // In the order of the table of methods, which begins with what most merchants use.
  const offered = PAYOUT_OFFERS.flatMap((offer) =>
    enabled.filter(({ method, currency }) => method === offer.method && currency === offer.currency),
  );
  return {
    methods: offered.map((terms) => {
      const { required, optional } = receiverForm(terms.method);
      const needsBank = required.includes("bank");
      return {
        ...{ method: terms.method, currency: terms.currency, required, optional },
        ...{ min: minorToJson(terms.minAmount), max: minorToJson(terms.maxAmount) },
        ...{ fee_bp: terms.feeBp, fee_fixed: minorToJson(terms.feeFixed) },
        banks: needsBank ? banks.filter((bank) => takesBank(terms, bank)).map(({ symbol }) => symbol) : [],
      };
    }),
    banks: banks.map(({ symbol, name }) => ({ symbol, name })),
  };
}
