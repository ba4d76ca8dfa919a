import { useEffect, useRef, useState } from "preact/hooks";
import { type Loaded, useLoad } from "./load.ts";
import { read } from "./server.ts";

export type Pages<Page, Row> = Loaded<Page> & {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  readonly isMoreLoading: boolean;
  readonly loadMore: () => Promise<void>;
};

/** A list that is read page by page, each beginning after the last row of the one before. */
export function usePages<Page extends { readonly next: string | null }, Row>(
  path: string,
  rowsOf: (page: Page) => readonly Row[],
): Pages<Page, Row> {
  const loaded = useLoad<Page>(path);
  const [more, setMore] = useState<readonly Page[]>([]);
  const [isMoreLoading, setMoreLoading] = useState(false);
  // What is added belongs to the first page that is shown now: another filter, or a reload, begins again.
  const first = useRef(loaded.value);
  first.current = loaded.value;
  useEffect(() => setMore([]), [loaded.value]);
  const pages = loaded.value === undefined ? [] : [loaded.value, ...more];
  const next = pages.at(-1)?.next ?? null;
  const loadMore = async () => {
    if (next === null || isMoreLoading) return;
    const began = first.current;
    setMoreLoading(true);
    const answer = await read<Page>(`${path}${path.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(next)}`);
    setMoreLoading(false);
    if (answer.kind === "ok" && first.current === began) setMore((now) => [...now, answer.value]);
  };
  return { ...loaded, rows: pages.flatMap(rowsOf), hasMore: next !== null, isMoreLoading, loadMore };
}
