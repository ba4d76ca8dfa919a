import type { Id } from "../../core/ids.ts";
import type { HeldRows } from "../../store/reports/held-rows.ts";
import type { ReportScope } from "./report-scope.ts";

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
const EXPORTS_AT_ONCE_MAX = 8;
/** So that no merchant's slow downloads keep the others waiting. */
const EXPORTS_OF_MERCHANT_MAX = 2;

/** The places for exports of a process. */
export type ExportPlaces = {
  /** Takes one for a merchant, and answers how to leave it; undefined where none is free. */
  readonly take: (merchantId: Id) => (() => void) | undefined;
  readonly taken: () => number;
};

export function openExportPlaces(): ExportPlaces {
  const owners: Id[] = [];
  return {
    taken: () => owners.length,
    take: (merchantId) => {
      const own = owners.filter((owner) => owner === merchantId).length;
      if (owners.length >= EXPORTS_AT_ONCE_MAX || own >= EXPORTS_OF_MERCHANT_MAX) return undefined;
      owners.push(merchantId);
      let isTaken = true;
      return () => {
        if (isTaken) owners.splice(owners.indexOf(merchantId), 1);
        isTaken = false;
      };
    },
  };
}

type Writing<R> = {
  readonly header: string;
  readonly lineOf: (row: R) => string;
};

/** Takes a place until the last part was read, or until it is closed; undefined where none is free. */
export async function openExport<R>(
  places: ExportPlaces,
  { merchantId }: ReportScope,
  hold: () => Promise<HeldRows<number, R>>,
  writing: Writing<R>,
): Promise<Export | undefined> {
  const leave = places.take(merchantId);
  if (leave === undefined) return undefined;
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
