import type { OrderFile } from "./order-file.ts";
import type { Tillgate } from "./sdk.ts";

/** What the parts of the shop share. */
export type Shop = {
  readonly tillgate: Tillgate;
  readonly orders: OrderFile;
  readonly webhookSecret: string;
  /** Where payers and Tillgate reach the shop. */
  readonly url: string;
};
