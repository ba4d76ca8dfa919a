import type { Requisites } from "./contract-answers.ts";

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
