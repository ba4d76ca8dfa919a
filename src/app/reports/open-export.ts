import type { HeldRows } from "../../store/reports/held-rows.ts";

/** A CSV file that is written while it is read. */
export type Export = {
  /** How many lines it will have after its header, so that progress can be shown. */
  readonly lineCount: number;
  /** Texts of many lines each; the first is the header. */
  readonly parts: AsyncGenerator<string, void, void>;
  /** To be called when the reader has gone, whether or not it read anything. */
  readonly close: () => Promise<void>;
};

/** Each has a connection of its own to the database. */
const EXPORTS_AT_ONCE_MAX = 4;

/** The places for exports of a process. */
export type ExportPlaces = { taken: number };

export function openExportPlaces(): ExportPlaces {
  return { taken: 0 };
}

type Writing<R> = {
  readonly header: string;
  readonly lineOf: (row: R) => string;
};

/** Takes a place until the last part was read, or until it is closed; undefined where none is free. */
export async function openExport<R>(
  places: ExportPlaces,
  hold: () => Promise<HeldRows<number, R>>,
  writing: Writing<R>,
): Promise<Export | undefined> {
  if (places.taken >= EXPORTS_AT_ONCE_MAX) return undefined;
  places.taken += 1;
  let isTaken = true;
  const leave = () => {
    if (isTaken) places.taken -= 1;
    isTaken = false;
  };
  try {
    const held = await hold();
    const close = async () => {
      leave();
      await held.close();
    };
    return { lineCount: held.first, parts: partsOf(held, writing, close), close };
  } catch (error) {
    leave();
    throw error;
  }
}

async function* partsOf<R>(
  held: HeldRows<number, R>,
  { header, lineOf }: Writing<R>,
  close: () => Promise<void>,
): AsyncGenerator<string, void, void> {
  try {
    yield header;
    for await (const rows of held.portions()) yield rows.map(lineOf).join("");
  } finally {
    await close();
  }
}
