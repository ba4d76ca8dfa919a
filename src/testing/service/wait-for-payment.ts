import { expect, vi } from "vitest";
import type { MerchantAnswer, MerchantJson } from "./merchant-client.ts";

const WAIT = { timeout: 60_000, interval: 150 };

/** Asks until the payment is there: `success`, `dispute:no_payment`. Says what it is when it never gets there. */
export function waitForState(info: () => Promise<MerchantAnswer>, state: string): Promise<MerchantJson> {
  return vi.waitFor(async () => {
    const { json } = await info();
    expect(stateOf(json)).toBe(state);
    return json;
  }, WAIT);
}

export function stateOf({ status, sub_status }: MerchantJson): string {
  return sub_status === null ? status : `${status}:${sub_status}`;
}
