import MiniSearch from "minisearch";
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type Found, SEARCH_OPTIONS } from "./search-options.ts";

/** The button of the page's head, and `/`, open the search. Its index is loaded when it is first opened. */
export function mountSearch(): void {
  const button = document.querySelector<HTMLButtonElement>("[data-find]");
  if (button === null) return;
  const dialog = document.createElement("dialog");
  dialog.className = "search";
  dialog.setAttribute("aria-label", "Search");
  document.body.append(dialog);
  const open = () => {
    if (dialog.open) return;
    render(<Search close={() => dialog.close()} />, dialog);
    dialog.showModal();
  };
  // The next one begins empty.
  dialog.addEventListener("close", () => render(null, dialog));
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  button.hidden = false;
  button.addEventListener("click", open);
  document.addEventListener("keydown", (event) => {
    const isShortcut = event.key === "/" || (event.key === "k" && (event.ctrlKey || event.metaKey));
    if (!isShortcut || isTyping(event.target)) return;
    event.preventDefault();
    open();
  });
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

type Index = { search(query: string): readonly Found[] };

let loading: Promise<Index> | undefined;

function loadIndex(): Promise<Index> {
  loading ??= fetchIndex().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function fetchIndex(): Promise<Index> {
  const answer = await fetch(document.body.dataset.search ?? "");
  if (!answer.ok) throw new Error(`the index answered ${answer.status}`);
  const index = MiniSearch.loadJSON(await answer.text(), SEARCH_OPTIONS);
  return { search: (query) => index.search(query) as unknown as Found[] };
}

const SHOWN_MAX = 12;

function Search({ close }: { readonly close: () => void }) {
  const [index, setIndex] = useState<Index>();
  const [hasFailed, setFailed] = useState(false);
  const [query, setQuery] = useState("");
  const [chosen, setChosen] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
    loadIndex().then(setIndex, () => setFailed(true));
  }, []);
  const found = query.trim() === "" ? [] : (index?.search(query) ?? []).slice(0, SHOWN_MAX);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const target = found[chosen];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      setChosen((chosen + step + found.length) % found.length);
    } else if (event.key === "Enter" && target !== undefined) {
      close();
      location.assign(addressOf(target));
    }
  };
  return (
    <>
      <input
        ref={input}
        type="search"
        aria-label="Search the documentation"
        placeholder="Search: a call, a field, an error code…"
        value={query}
        onInput={(event) => {
          setQuery(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <p class="unseen" role="status">
        {query.trim() === "" || index === undefined ? "" : `${found.length} found`}
      </p>
      {hasFailed && <p class="search-note">The search could not be loaded. Close it and try again.</p>}
      {!hasFailed && query.trim() !== "" && index !== undefined && found.length === 0 && (
        <p class="search-note">Nothing was found for these words.</p>
      )}
      <ul>
        {found.map((each, at) => (
          <li key={`${each.page}#${each.anchor}`} class={at === chosen ? "is-chosen" : undefined}>
            <a href={addressOf(each)} onClick={close}>
              <span class="found-title">{each.title}</span>
              <span class="found-of">{each.of}</span>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Seen from this page: `data-root` says where the pages are. */
function addressOf({ page, anchor }: Found): string {
  const root = document.body.dataset.root ?? "";
  const path = page === "index" ? (root === "" ? "../docs" : "docs") : `${root}${page}`;
  return anchor === "" ? path : `${path}#${anchor}`;
}
