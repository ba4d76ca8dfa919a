import type { Pages } from "../pages.ts";
import { useSpeech } from "../words/words.ts";

export function MoreButton<Page, Row>({ pages }: { readonly pages: Pages<Page, Row> }) {
  const { words } = useSpeech();
  if (!pages.hasMore) return null;
  return (
    <p class="more">
      <button type="button" class="quiet" aria-disabled={pages.isMoreLoading} onClick={pages.loadMore}>
        {pages.isMoreLoading ? words.loading : words.loadMore}
      </button>
    </p>
  );
}
