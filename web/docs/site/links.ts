import type { LinkOf } from "./markdown.ts";
import { PAGE_SOURCES, REFERENCE, SERVED_FILES } from "./pages.ts";

/**
 * Addresses are relative, so that they also hold where a proxy serves us below a path of its own. The reference is at `/docs`, the
 * others one level below.
 */
export function addressFrom(page: string, target: string): string {
  if (target === REFERENCE) return page === REFERENCE ? "docs" : "../docs";
  return page === REFERENCE ? `docs/${target}` : target;
}

const OTHER_SITE = /^(https?|mailto):/;
const ANY_SCHEME = /^[a-z][a-z+.-]*:/i;

/** Links as a document of the repository writes them: to other documents by file, to pages of the service from its root. */
export function linksOf(page: string, file: string): LinkOf {
  return (href) => {
    if (href.startsWith("#") || OTHER_SITE.test(href)) return href;
    if (ANY_SCHEME.test(href)) return undefined;
    const [path = "", fragment] = href.split("#");
    const hash = fragment === undefined ? "" : `#${fragment}`;
    if (path.startsWith("/")) return `${fromRoot(page, path)}${hash}`;
    const target = joinPath(file, path);
    const served = PAGE_SOURCES.find((source) => source.file === target)?.name ?? SERVED_FILES[target];
    return served === undefined ? undefined : `${addressFrom(page, served)}${hash}`;
  };
}

function fromRoot(page: string, path: string): string {
  const below = /^\/docs(?:\/(.*))?$/.exec(path);
  if (below !== null) return addressFrom(page, below[1] ?? REFERENCE);
  return `${page === REFERENCE ? "" : "../"}${path.slice(1)}`;
}

/** The file that a relative path names, seen from another file. */
function joinPath(from: string, path: string): string {
  const parts = from.split("/").slice(0, -1);
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}
