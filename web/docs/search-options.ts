/** What the search shows of a section. */
export type Found = {
  /** `index` is the reference. */
  readonly page: string;
  readonly anchor: string;
  readonly title: string;
  /** The page's title, or the call's method and path. */
  readonly of: string;
};

/** The same for the build, which makes the index, and for the page, which loads it. */
export const SEARCH_OPTIONS = {
  fields: ["title", "of", "text"],
  storeFields: ["page", "anchor", "title", "of"],
  searchOptions: { boost: { title: 4, of: 2 }, prefix: true, fuzzy: 0.15, combineWith: "AND" as const },
};
