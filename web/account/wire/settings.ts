import type { Project } from "./reports.ts";

/** What `/account/api` says of a project's payment page. */
export type PageSettings = {
  readonly project: Pick<Project, "id" | "name" | "book">;
  /** `#rrggbb`; null: ours. */
  readonly accent: string | null;
  /** As a data: URL. */
  readonly logo: string | null;
  readonly origins: readonly string[];
  /** How payers reach the shop; null: not shown. */
  readonly support: { readonly email: string | null; readonly phone: string | null; readonly url: string | null };
  /** How often a payer may choose how to pay. */
  readonly payer_attempts: number;
};

/** Where the money of a payment was to go, in full. */
export type RevealedPlace = {
  readonly type: string;
  readonly value: string;
  readonly holder?: string;
  readonly bank?: string;
};
