import type { ComponentChildren } from "preact";
import { Icon } from "../../kit/icon.tsx";
import { addressFrom } from "./links.ts";
import type { Heading } from "./markdown.ts";
import { REFERENCE } from "./pages.ts";

export type Assets = {
  readonly script: string;
  readonly style: string;
  readonly operations: string;
  readonly search: string;
};

type PageLink = {
  readonly name: string;
  readonly title: string;
  readonly group: string;
  readonly about: string;
};

/** A group of links into the reference. */
export type ReferenceGroup = {
  readonly title: string;
  readonly anchor: string;
  readonly links: readonly { readonly anchor: string; readonly title: string; readonly method?: string }[];
};

export type Site = {
  readonly assets: Assets;
  readonly version: string;
  readonly pages: readonly PageLink[];
  readonly reference: readonly ReferenceGroup[];
};

type FrameProps = {
  readonly site: Site;
  readonly page: string;
  readonly title: string;
  readonly description: string;
  /** Of this page, in the margin. */
  readonly headings?: readonly Heading[];
  readonly hasOperations: boolean;
  readonly children: ComponentChildren;
};

const GLASS = "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16.200 16.200L21 21";
const BARS = "M4 7h16M4 12h16M4 17h16";

/** What every page has around its text. Nothing of it needs a script: the search button appears with the script. */
export function Frame({ site, page, title, description, headings = [], hasOperations, children }: FrameProps) {
  const asset = (name: string) => addressFrom(page, `assets/${name}`);
  const operations = hasOperations ? { "data-operations": asset(site.assets.operations) } : {};
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="description" content={description} />
        <title>{page === REFERENCE ? title : `${title} · Tillgate`}</title>
        <link rel="icon" type="image/svg+xml" href={page === REFERENCE ? "favicon.svg" : "../favicon.svg"} />
        <link rel="stylesheet" href={asset(site.assets.style)} />
        <script type="module" src={asset(site.assets.script)} />
      </head>
      <body data-search={asset(site.assets.search)} data-root={page === REFERENCE ? "docs/" : ""} {...operations}>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <Header page={page} version={site.version} />
        <div class={headings.length > 1 ? "columns with-margin" : "columns"}>
          <Navigation site={site} page={page} />
          <main id="content">{children}</main>
          {headings.length > 1 && <OnThisPage headings={headings} />}
        </div>
      </body>
    </html>
  );
}

function Header({ page, version }: { readonly page: string; readonly version: string }) {
  return (
    <header class="top">
      <a class="brand" href={addressFrom(page, REFERENCE)}>
        Tillgate <span class="version">{version}</span>
      </a>
      <button type="button" class="find" data-find hidden>
        <Icon path={GLASS} look="icon" />
        <span class="find-words">Search</span>
        <kbd>/</kbd>
      </button>
      <a class="top-link" href={addressFrom(page, "quick-start")}>
        Quick start
      </a>
      <a class="top-link" href={addressFrom(page, "openapi.yaml")}>
        OpenAPI
      </a>
      <a class="menu" href="#contents" data-menu>
        <Icon path={BARS} look="icon" />
        <span>Contents</span>
      </a>
    </header>
  );
}

function Navigation({ site, page }: { readonly site: Site; readonly page: string }) {
  const groups = [...new Set(site.pages.map(({ group }) => group))];
  const onReference = page === REFERENCE;
  return (
    <nav id="contents" class="contents" aria-label="Contents">
      {groups.map((group) => (
        <section key={group}>
          <h2 class="nav-title">{group}</h2>
          <ul>
            {site.pages
              .filter((each) => each.group === group)
              .map(({ name, title }) => (
                <li key={name}>
                  <a class="nav-link" href={addressFrom(page, name)} aria-current={name === page ? "page" : undefined}>
                    {title}
                  </a>
                </li>
              ))}
          </ul>
        </section>
      ))}
      <h2 class="nav-title">
        <a class="nav-link" href={addressFrom(page, REFERENCE)} aria-current={onReference ? "page" : undefined}>
          API reference
        </a>
      </h2>
      {onReference ? <ReferenceLinks groups={site.reference} /> : <GroupLinks groups={site.reference} page={page} />}
    </nav>
  );
}

function ReferenceLinks({ groups }: { readonly groups: readonly ReferenceGroup[] }) {
  return groups.map(({ title, anchor, links }) => (
    <section key={anchor}>
      <h3 class="nav-group">
        <a class="nav-link" href={`#${anchor}`}>
          {title}
        </a>
      </h3>
      <ul>
        {links.map((link) => (
          <li key={link.anchor}>
            <a class="nav-link nav-sub" href={`#${link.anchor}`} data-to={link.anchor}>
              {link.title}
            </a>
          </li>
        ))}
      </ul>
    </section>
  ));
}

/** On other pages the groups alone. */
function GroupLinks({ groups, page }: { readonly groups: readonly ReferenceGroup[]; readonly page: string }) {
  return (
    <ul>
      {groups.map(({ title, anchor }) => (
        <li key={anchor}>
          <a class="nav-link" href={`${addressFrom(page, REFERENCE)}#${anchor}`}>
            {title}
          </a>
        </li>
      ))}
    </ul>
  );
}

function OnThisPage({ headings }: { readonly headings: readonly Heading[] }) {
  return (
    <aside class="margin" aria-label="On this page">
      <h2 class="nav-title">On this page</h2>
      <ul>
        {headings.map(({ id, text, level }) => (
          <li key={id}>
            <a class={level > 2 ? "nav-link nav-deep" : "nav-link"} href={`#${id}`} data-to={id}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </aside>
  );
}
