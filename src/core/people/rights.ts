/** What the people of a merchant may do. One table; every route of the account names the right that it needs. */
export const ROLES = ["owner", "developer", "accountant", "viewer"] as const;
export type Role = (typeof ROLES)[number];

export const RIGHTS = [
  "payments.read",
  "payments.export",
  "requisites.reveal",
  "statement.read",
  "payouts.make",
  "payouts.approve",
  "keys.manage",
  "callbacks.manage",
  "log.read",
  "sandbox.use",
  "settings.manage",
  "team.read",
  "team.manage",
  "security.manage",
  "audit.read",
] as const;
export type Right = (typeof RIGHTS)[number];

export const RIGHTS_OF_ROLE = {
  owner: RIGHTS,
  developer: [
    "payments.read",
    "payments.export",
    "keys.manage",
    "callbacks.manage",
    "log.read",
    "sandbox.use",
    "settings.manage",
    "team.read",
  ],
  accountant: [
    "payments.read",
    "payments.export",
    "requisites.reveal",
    "statement.read",
    "payouts.make",
    "payouts.approve",
    "team.read",
  ],
  viewer: ["payments.read", "team.read"],
} as const satisfies Record<Role, readonly Right[]>;

export function hasRight(role: Role, right: Right): boolean {
  return (RIGHTS_OF_ROLE[role] as readonly Right[]).includes(right);
}
