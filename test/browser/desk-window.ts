import type { Locator, Page } from "playwright-core";

/** What a tester does at the desk, by its words. */
export type DeskWindow = {
  /** Makes a test payment, and gives its card on the desk. */
  readonly make: (order: DeskOrder, amount?: string) => Promise<Locator>;
  readonly press: (card: Locator, button: string | RegExp) => Promise<void>;
  /** Waits until a payment's card says so. */
  readonly says: (card: Locator, ...words: readonly string[]) => Promise<void>;
};

/** The values of the form's list. */
export type DeskOrder =
  | "card_transfer"
  | "sbp"
  | "phone"
  | "qr"
  | "page"
  | "card_challenge"
  | "card_approved"
  | "card_declined"
  | "payout";

export function useDeskOf(page: Page): DeskWindow {
  let last = "";
  return {
    make: async (order, amount) => {
      await page.getByRole("button", { name: "Make a test payment" }).click();
      const form = page.getByRole("dialog");
      await form.getByLabel("Payment", { exact: true }).selectOption(order);
      if (amount !== undefined) await form.getByLabel(/^Amount/).fill(amount);
      await form.getByRole("button", { name: "Make it" }).click();
      const made = page.getByText(/^Made: (?!$)/).filter({ hasNotText: last === "" ? /^$/ : last });
      last = (((await made.textContent()) ?? "").match(/desk-\w+/) ?? [""])[0];
      const card = page.getByRole("article", { name: last });
      await card.waitFor();
      return card;
    },
    press: async (card, button) => {
      const found = typeof button === "string" ? `${button}: ` : button;
      await card.getByRole("button", { name: found }).first().click();
    },
    says: async (card, ...words) => {
      for (const word of words) await card.getByText(word, { exact: true }).first().waitFor();
    },
  };
}
