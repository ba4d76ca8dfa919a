import type { Language } from "../../kit/language.ts";

/** What `/account/api` says of people. Times are ISO 8601 in UTC. */
export type Role = "owner" | "developer" | "accountant" | "viewer";
export const ROLES: readonly Role[] = ["owner", "developer", "accountant", "viewer"];

export type Right =
  | "payments.read"
  | "payments.export"
  | "requisites.reveal"
  | "statement.read"
  | "settings.manage"
  | "payouts.make"
  | "payouts.approve"
  | "team.read"
  | "team.manage"
  | "security.manage"
  | "audit.read"
  | "keys.manage"
  | "log.read"
  | "sandbox.use"
  | "callbacks.manage";

type Membership = {
  readonly merchant_id: string;
  readonly merchant_name: string;
  readonly role: Role;
};

export type Session = {
  readonly person: { readonly id: string; readonly name: string; readonly email: string; readonly language: Language };
  readonly merchant: { readonly id: string; readonly name: string } | null;
  readonly memberships: readonly Membership[];
  readonly role: Role | null;
  readonly rights: readonly string[];
  readonly second_factor: {
    readonly totp: boolean;
    readonly passkeys: number;
    readonly recovery_codes_left: number;
  };
  readonly must_set_second_factor: boolean;
  readonly stepped_up_until: string | null;
  readonly mode: "development" | "production";
};

export type SignInMethod = "totp" | "passkey" | "recovery_code";
export type SignedIn = { readonly next: "done" | "second_factor"; readonly methods: readonly SignInMethod[] };

export type InvitationLook = {
  readonly merchant_name: string;
  readonly role: Role;
  readonly email: string;
  readonly has_password: boolean;
};

export type TotpBegun = { readonly secret: string; readonly uri: string };
export type RecoveryCodes = { readonly recovery_codes: readonly string[] };

export type Passkey = {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly used_at: string | null;
};

export type SecondFactor = {
  readonly totp: { readonly since: string } | null;
  readonly passkeys: readonly Passkey[];
  readonly recovery_codes_left: number;
};

export type OpenSession = {
  readonly id: string;
  readonly created_at: string;
  readonly seen_at: string;
  readonly address: string;
  /** The browser's own text about itself. */
  readonly browser: string;
  readonly current: boolean;
};

export type TeamPerson = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly second_factor: boolean;
  readonly seen_at: string | null;
};

type TeamInvitation = {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly invited_by: string;
  readonly expires_at: string;
  readonly expired: boolean;
};

export type Team = {
  readonly people: readonly TeamPerson[];
  readonly invitations: readonly TeamInvitation[];
  readonly require_second_factor: boolean;
};

export type AuditLine = {
  readonly id: string;
  readonly at: string;
  readonly actor: { readonly kind: "person" | "operator"; readonly name: string };
  readonly address: string | null;
  readonly action: string;
  readonly subject: string;
  readonly before: unknown;
  readonly after: unknown;
};

export type AuditPage = { readonly lines: readonly AuditLine[]; readonly next: string | null };
