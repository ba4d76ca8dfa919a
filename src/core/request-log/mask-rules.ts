/**
 * What the request log shows of the members of a body. Everything that is not named here is hidden: a text by its length, a
 * number as a number. A member that the contract gains is hidden until it has its line.
 */
export type MaskRule =
  /** Written by us: as it is. Only for answers. */
  | "ours"
  /** An id of ours as it is, and anything else like a text that is shown. */
  | "id"
  /** The two that lead to the payment: as they are, and remembered. */
  | "payment_id"
  | "request_id"
  /** As it is, but for numbers as long as a card's. */
  | "shown"
  /** Without its query. */
  | "address"
  /** Without its path: it opens a page. */
  | "origin"
  | "last_four"
  | MaskRules;

/** The members of an object, in the order in which programs write them: the next one is looked for first. */
export type MaskRules = { readonly inOrder: readonly MaskMember[]; readonly byName: ReadonlyMap<string, MaskMember> };

type MaskMember = {
  /** With its quotes and colon, as it is written without spaces. */
  readonly text: string;
  readonly rule: MaskRule;
  readonly index: number;
};

function rules(members: Readonly<Record<string, MaskRule>>): MaskRules {
  const inOrder = Object.entries(members).map(([name, rule], index) => ({ text: `"${name}":`, rule, index }));
  return { inOrder, byName: new Map(inOrder.map((member) => [member.text.slice(1, -2), member])) };
}

const terms = {
  method: "shown",
  payment_system: "shown",
  amount: "shown",
  currency: "shown",
  type: "shown",
  description: "shown",
  lifetime: "shown",
  widget_method: "shown",
} as const;

/** Members as in `api/merchant/blocks.ts`. Names, codes, e-mail and what an issuer answers have no line on purpose. */
export const REQUEST_RULES: MaskRules = rules({
  general: rules({
    project_id: "id",
    payment_id: "payment_id",
    merchant_callback_url: "address",
    merchant_success_callback_url: "address",
    merchant_decline_callback_url: "address",
    redirect_url: "address",
  }),
  payment: rules(terms),
  sender: rules({ bank: "shown", pan_last4: "shown", phone: "last_four" }),
  receiver: rules({ pan: "last_four", phone: "last_four", account_number: "last_four", bank: "shown" }),
  customer: rules({
    id: "shown",
    ip_address: "shown",
    country: "shown",
    language: "shown",
    phone: "last_four",
    browser: rules({
      language: "shown",
      color_depth: "shown",
      screen_width: "shown",
      screen_height: "shown",
      timezone_offset: "shown",
    }),
  }),
  card: rules({ pan: "last_four" }),
  // Of the tester's desk, for test projects.
  direction: "shown",
  action: "shown",
  amount: "shown",
  reason: "shown",
  seconds: "shown",
  to: "shown",
  kind: "shown",
  call: "shown",
  ms: "shown",
  times: "shown",
  limit: "shown",
  status: "shown",
});

/** Of a payment, a balance, the list of banks, and an error. The elements of a list are judged as the list is. */
export const ANSWER_RULES: MaskRules = rules({
  project_id: "ours",
  payment_id: "ours",
  request_id: "request_id",
  type: "ours",
  status: "ours",
  sub_status: "ours",
  status_description: "shown",
  decline_code: "ours",
  code: "ours",
  errors: rules({ field: "shown", code: "ours", message: "shown" }),
  payment: rules({
    method: "ours",
    amount: "ours",
    requested_amount: "ours",
    received_amount: "ours",
    currency: "ours",
    fee: "ours",
    net: "ours",
  }),
  requisites: rules({
    type: "ours",
    pan: "last_four",
    phone: "last_four",
    account_number: "last_four",
    url: "origin",
    bank: "ours",
    bank_name: "ours",
    amount: "ours",
    currency: "ours",
  }),
  card: rules({ pan: "last_four", brand: "ours" }),
  integration: rules({
    form_url: "origin",
    redirect_url: "origin",
    three_ds: rules({ version: "ours", acs_url: "origin" }),
  }),
  created_at: "ours",
  updated_at: "ours",
  expires_at: "ours",
  finished_at: "ours",
  balance: rules({ currency: "ours", amount: "ours", locked_amount: "ours" }),
  id: "ours",
  name: "ours",
  symbol: "ours",
  sbp_code: "ours",
  is_sbp_bank: "ours",
  country_code: "ours",
});
