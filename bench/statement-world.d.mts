type Run = (text: string, values: readonly unknown[]) => Promise<unknown>;

export function seedLentPayins(
  run: Run,
  of: { readonly projectId: string; readonly accountId: string; readonly count: number },
): Promise<void>;

export function expectedImport(count: number): {
  readonly exact: number;
  readonly ended: number;
  readonly unclaimed: number;
  readonly known: number;
  readonly refused: number;
};

export function importedLines(code: string, count: number, bookedAt: string): Generator<string>;

export function differingLines(code: string, count: number, bookedAt: string, otherDay: string): Generator<string>;

export type DifferenceKinds = "missing_there" | "amount_differs" | "other_day" | "doubled" | "missing_here";

export function expectedDifferences(count: number): Readonly<Record<DifferenceKinds, readonly string[]>>;
