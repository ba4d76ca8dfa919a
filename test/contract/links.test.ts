import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Marked, type Token, type Tokens } from "marked";
import { beforeAll, describe, expect, it } from "vitest";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { slugOf } from "../../web/docs/site/contract.ts";

/** Links and anchors in the documents and in the pages that the service serves. No other host is asked. */
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const service = useTestService(useTestDatabase());

const tracked = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: ROOT, encoding: "utf8" })
  .trim()
  .split("\n")
  .filter((file) => existsSync(join(ROOT, file)));
const documents = tracked.filter((file) => file.endsWith(".md"));

type Link = { readonly href: string; readonly text: string };
type Read = { readonly links: readonly Link[]; readonly anchors: ReadonlySet<string> };

function readDocument(file: string): Read {
  const markdown = new Marked();
  const tokens = markdown.lexer(readFileSync(join(ROOT, file), "utf8"));
  const links: Link[] = [];
  const headings: string[] = [];
  markdown.walkTokens(tokens, (token: Token) => {
    if (token.type === "link") links.push({ href: (token as Tokens.Link).href, text: (token as Tokens.Link).text });
    if (token.type === "heading") headings.push((token as Tokens.Heading).text);
  });
  return { links, anchors: new Set(headings.flatMap((text) => [slugOf(text), githubSlug(text)])) };
}

/** As GitHub names the anchor of a heading. */
function githubSlug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

const read = new Map(documents.map((file) => [file, readDocument(file)]));

/** Undefined when the link leads somewhere. */
function faultOf(file: string, href: string): string | undefined {
  const [path = "", fragment] = href.split("#");
  const target = path === "" ? file : relative(ROOT, resolve(ROOT, dirname(file), decodeURIComponent(path)));
  if (!existsSync(join(ROOT, target))) return `${href}: there is no ${target}`;
  if (fragment === undefined || !target.endsWith(".md")) return undefined;
  return read.get(target)?.anchors.has(fragment) === true ? undefined : `${href}: ${target} has no such heading`;
}

const isOutside = (href: string) => /^(https?|mailto):/.test(href);

describe("documents of the repository", () => {
  it("are found", () => expect(documents.length).toBeGreaterThan(60));

  it.each(documents)("%s links to files and headings that are there", (file) => {
    const inside = (read.get(file)?.links ?? []).filter(({ href }) => !isOutside(href) && !href.startsWith("/"));
    expect(inside.flatMap(({ href }) => faultOf(file, href) ?? [])).toEqual([]);
  });
});

type Page = { readonly status: number; readonly ids: ReadonlySet<string>; readonly targets: readonly string[] };

const pages = new Map<string, Page>();

async function fetchPage(path: string): Promise<Page> {
  const known = pages.get(path);
  if (known !== undefined) return known;
  const answer = await fetch(service.url() + path, { redirect: "manual" });
  const isPage = answer.headers.get("content-type")?.startsWith("text/html") === true;
  const text = await answer.text();
  const matches = (pattern: RegExp) => (isPage ? [...text.matchAll(pattern)].map(([, value = ""]) => value) : []);
  const page = {
    status: answer.status,
    ids: new Set(matches(/\sid="([^"]*)"/g)),
    targets: matches(/<(?:a|link|script|img)\b[^>]*\s(?:href|src)="([^"]*)"/g).map((target) =>
      target.replaceAll("&amp;", "&"),
    ),
  };
  pages.set(path, page);
  return page;
}

/** Everything that can be reached from here without leaving the service, and what is wrong on the way. */
async function walk(start: string): Promise<string[]> {
  const faults: string[] = [];
  const waiting = [start];
  const seen = new Set(waiting);
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const { targets } = await fetchPage(path);
    for (const target of targets) {
      const url = new URL(target, service.url() + path);
      if (url.origin !== service.url() || /:8080$/.test(url.host)) continue;
      const { status, ids } = await fetchPage(url.pathname);
      if (status >= 400) faults.push(`${path} links to ${target}: ${status}`);
      const id = decodeURIComponent(url.hash.slice(1));
      if (status === 200 && id !== "" && !ids.has(id)) faults.push(`${path} links to ${target}: no such anchor`);
      if (url.pathname.startsWith("/docs") && !seen.has(url.pathname)) {
        seen.add(url.pathname);
        waiting.push(url.pathname);
      }
    }
  }
  return faults;
}

describe("pages of the service", () => {
  it("lead somewhere with every link, and every page is reached", async () => {
    expect(await walk("/docs")).toEqual([]);
    const reached = [...pages.keys()].filter((path) => /^\/docs(\/[\w-]+)?$/.test(path));
    expect(reached.length).toBeGreaterThan(12);
  });

  it.each(["/account", "/sandbox", "/sandbox/shop"])("%s too", async (path) => {
    expect((await fetchPage(path)).status).toBe(200);
    expect(await walk(path)).toEqual([]);
  });
});

/** Addresses below /docs that programs and pages of ours write down, and those of documents. */
describe("addresses of the documentation", () => {
  const ADDRESS = /["'`(](?:\$\{[^}]*\})?(\/docs(?:\/[\w.-]+)?(?:#[\w-]+)?)["'`)]/g;
  const writers = tracked.filter((file) => /^(src|web|sdk\/src|docs|README)/.test(file) && /\.(tsx?|md)$/.test(file));
  const found = writers
    .filter((file) => !file.endsWith(".test.ts"))
    .flatMap((file) =>
      [...readFileSync(join(ROOT, file), "utf8").matchAll(ADDRESS)].map(([, address = ""]) => ({ file, address })),
    )
    .filter(({ address }) => address !== "/docs/assets");

  beforeAll(() => expect(found.length).toBeGreaterThan(5));

  it.each(found)("$address in $file", async ({ address }) => {
    const [path = "", id] = address.split("#");
    const { status, ids } = await fetchPage(path);
    expect(status).toBe(200);
    if (id !== undefined) expect([...ids]).toContain(id);
  });
});
