import type { Book } from "./reports.ts";

/** What `/account/api` says of API keys and of the rules of projects. */
export type KeyKind = "rsa" | "hmac";

export type ApiKey = {
  readonly id: string;
  readonly label: string;
  readonly kind: KeyKind;
  /** What a request names the key by. It is no secret. */
  readonly token: string;
  /** Null: for all projects of the book. */
  readonly project_id: string | null;
  readonly book: Book;
  readonly state: "active" | "not_yet" | "expired" | "revoked";
  readonly created_at: string;
  readonly not_before: string;
  readonly not_after: string | null;
  readonly revoked_at: string | null;
  /** The projects that no other key works for. */
  readonly needed_by: readonly string[];
};

export type KeyProject = {
  readonly id: string;
  readonly name: string;
  readonly book: Book;
  readonly status: "active" | "paused";
  readonly scheme2_only: boolean;
  readonly allowed_ips: readonly string[];
  readonly rate_per_second: number;
  /** How many keys work for it now. */
  readonly key_count: number;
};

export type MerchantKeys = {
  readonly merchant_id: string;
  readonly base_url: string;
  readonly docs_url: string;
  readonly projects: readonly KeyProject[];
  readonly keys: readonly ApiKey[];
};

export type EndedKeyPage = { readonly keys: readonly ApiKey[]; readonly next: string | null };

export type MadeKey = { readonly id: string; readonly token: string; readonly secret?: string };
