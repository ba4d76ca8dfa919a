type Shared = {
  readonly holder?: string;
  /** The bank's `symbol`, and its name for people. */
  readonly bank?: string;
  readonly bank_name?: string;
  /** What the payer is to send, in minor units. */
  readonly amount: number;
  readonly currency: string;
};

export type CardRequisites = Shared & { readonly type: "card"; readonly pan: string };
export type PhoneRequisites = Shared & { readonly type: "phone"; readonly phone: string };
export type AccountRequisites = Shared & { readonly type: "account"; readonly account_number: string };
/** A page or a QR code to open; for `ussd` a `tel:` link to dial. */
export type LinkRequisites = Shared & { readonly type: "link"; readonly url: string };

/**
 * Where the payer is to send the money. Decide by `type`, and have a branch for a type that you do not know: a later
 * version of the service may add one.
 */
export type Requisites = CardRequisites | PhoneRequisites | AccountRequisites | LinkRequisites;

export const REQUISITES_SHAPE = {
  type: "string",
  "pan?": "string",
  "phone?": "string",
  "account_number?": "string",
  "url?": "string",
  "holder?": "string",
  "bank?": "string",
  "bank_name?": "string",
  amount: "integer",
  currency: "string",
} as const;

const VALUE_MEMBERS: ReadonlyMap<string, string> = new Map([
  ["card", "pan"],
  ["phone", "phone"],
  ["account", "account_number"],
  ["link", "url"],
] satisfies [Requisites["type"], string][]);

/** Requisites fit their shape and may still lack the one member that their type is about. Other types are let through. */
export function findRequisitesMisfit({ requisites }: { readonly requisites?: Requisites }): string | undefined {
  if (requisites === undefined) return undefined;
  const member = VALUE_MEMBERS.get(requisites.type);
  return member === undefined || Object.hasOwn(requisites, member) ? undefined : `requisites.${member}`;
}
