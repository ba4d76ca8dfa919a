export type Answer = {
  readonly question: string;
  readonly rows: readonly object[];
  readonly notes: readonly string[];
  readonly failure?: string | undefined;
  /** Title, member of a row and decimals; else those of a published table, or of a plain one. */
  readonly columns?: readonly (readonly [string, string, number?])[];
  readonly published?: boolean;
};

export function askAll(
  questions: Readonly<Record<string, () => Promise<Answer>>>,
  print: (answer: Answer) => void,
): Promise<{ readonly results: Readonly<Record<string, Answer>>; readonly failed: readonly string[] }>;

export function inRounds<T>(
  count: number,
  measure: (round: number) => Promise<T>,
): Promise<{ readonly rounds: readonly T[]; readonly failure: string | undefined }>;

export function oneByOne<Item extends { readonly name: string }, Figure>(
  items: readonly Item[],
  measure: (item: Item) => Promise<Figure>,
): Promise<{ readonly figures: Readonly<Record<string, Figure>>; readonly failure: string | undefined }>;
