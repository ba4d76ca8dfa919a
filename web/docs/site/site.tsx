import type { VNode } from "preact";
import { render } from "preact-render-to-string";
import type { Contract } from "./contract.ts";
import type { Assets, Site } from "./frame.tsx";
import { GuidePage } from "./guide.tsx";
import { includeContract } from "./includes.ts";
import { linksOf } from "./links.ts";
import type { Machines } from "./machines.ts";
import { type Rendered, renderMarkdown } from "./markdown.ts";
import { type GuideSource, REFERENCE } from "./pages.ts";
import { ReferencePage, referenceGroups } from "./reference.tsx";
import { renderStates } from "./state-diagram.tsx";

export { describeOperations } from "./describe-operation.ts";
export { PAGE_SOURCES } from "./pages.ts";
export { makeSearchIndex } from "./search-index.ts";

export type SiteSource = {
  readonly contract: Contract;
  readonly guides: readonly GuideSource[];
  readonly machines: Machines;
  readonly assets: Assets;
};

/** Every page by its name; `index` is the reference. */
export function renderSite({ contract, guides, machines, assets }: SiteSource): Record<string, string> {
  const rendered = guides.map((guide) => ({ ...guide, rendered: renderGuide(guide, contract, machines) }));
  const site: Site = {
    ...{ assets, version: contract.info.version, reference: referenceGroups(contract) },
    pages: rendered.map(({ name, group, about, rendered: { headings } }) => ({
      ...{ name, group, about, title: headings[0]?.text ?? name },
    })),
  };
  return {
    [REFERENCE]: documentOf(<ReferencePage contract={contract} site={site} />),
    ...Object.fromEntries(
      rendered.map(({ name, rendered: page }) => [
        name,
        documentOf(<GuidePage site={site} page={name} rendered={page} />),
      ]),
    ),
  };
}

function documentOf(page: VNode): string {
  return `<!doctype html>\n${render(page)}\n`;
}

function renderGuide({ name, file, markdown }: GuideSource, contract: Contract, machines: Machines): Rendered {
  return renderMarkdown(includeContract(markdown, contract.info.description ?? ""), {
    linkOf: linksOf(name, file),
    insert: ({ title }) => {
      const kind = /^states of (p2p|card|payout)$/.exec(title)?.[1] as keyof Machines | undefined;
      return kind === undefined ? undefined : renderStates(kind, machines[kind]);
    },
  });
}
