import type { Book } from "../merchants/book.ts";

/**
 * The cards that test projects use, and what the sandbox does with each. They are published numbers without a
 * holder. A test project takes no other card, and a live project takes none of these.
 */
export type TestCardBehaviour =
  | "approved"
  | "three_ds_2"
  | "three_ds_1"
  | "declined"
  | "insufficient_funds"
  | "card_expired"
  | "processing_error"
  /** The acquirer does not answer, then answers when it is asked again. */
  | "answers_late";

const BEHAVIOURS: ReadonlyMap<string, TestCardBehaviour> = new Map([
  ["4242424242424242", "approved"],
  ["5555555555554444", "approved"],
  ["2202208311110010", "approved"],
  ["4000000000003220", "three_ds_2"],
  ["2200111753579001", "three_ds_2"],
  ["4111111111111111", "three_ds_1"],
  ["4000000000000002", "declined"],
  ["4000000000009995", "insufficient_funds"],
  ["4000000000000069", "card_expired"],
  ["4000000000000119", "processing_error"],
  ["4100401111100062", "answers_late"],
]);

export const TEST_CARDS: readonly string[] = [...BEHAVIOURS.keys()];

/** For those who try a payment page: each card with what it does. A live project's page must not offer them. */
export function listTestCards(book: Book): readonly { readonly pan: string; readonly does: TestCardBehaviour }[] {
  return book === "test" ? [...BEHAVIOURS].map(([pan, does]) => ({ pan, does })) : [];
}

/** Undefined when it is not one of the test cards. */
export function findTestCardBehaviour(pan: string): TestCardBehaviour | undefined {
  return BEHAVIOURS.get(pan);
}

/** Only cards have test numbers: the sandbox makes its phones, accounts and links by itself. */
export function isTestRequisite(type: string, value: string): boolean {
  return type === "card" && BEHAVIOURS.has(value);
}
