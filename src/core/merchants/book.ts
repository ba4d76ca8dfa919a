/** Test and live money never meet: every project, key, account and transfer belongs to one of the two books. */
export const BOOKS = ["test", "live"] as const;
export type Book = (typeof BOOKS)[number];
