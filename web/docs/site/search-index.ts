import MiniSearch from "minisearch";
import { type Found, SEARCH_OPTIONS } from "../search-options.ts";
import { type Contract, listCallbacks, listOperations, type NamedOperation } from "./contract.ts";
import { bodyFields } from "./describe-operation.ts";
import { includeContract, splitIntroduction } from "./includes.ts";
import { renderMarkdown } from "./markdown.ts";
import { objectAnchor } from "./operation.tsx";
import { ELSEWHERE, type GuideSource, REFERENCE } from "./pages.ts";
import { listFields } from "./schema.ts";

type Entry = Found & { readonly id: number; readonly text: string };

/** Every section of every page, as the search loads it on first use. */
export function makeSearchIndex(contract: Contract, guides: readonly GuideSource[]): string {
  const found = [
    ...operationsOf(contract),
    ...introductionOf(contract),
    ...objectsOf(contract),
    ...guides.flatMap((guide) => sectionsOf(contract, guide)),
  ];
  const index = new MiniSearch<Entry>(SEARCH_OPTIONS);
  index.addAll(found.map((entry, id) => ({ ...entry, id })));
  return JSON.stringify(index);
}

type Unnumbered = Omit<Entry, "id">;

function operationsOf(contract: Contract): Unnumbered[] {
  return [...listOperations(contract), ...listCallbacks(contract)].map((operation) => ({
    ...{ page: REFERENCE, anchor: operation.anchor, title: operation.summary ?? "", of: placeOf(operation) },
    text: [operation.description, ...bodyFields(contract, operation).map(({ name }) => name)].join(" "),
  }));
}

function placeOf({ isCallback, method, path, operationId }: NamedOperation): string {
  return isCallback ? `Callback ${operationId}` : `${method} ${path}`;
}

function introductionOf(contract: Contract): Unnumbered[] {
  return splitIntroduction(contract.info.description ?? "")
    .filter(({ heading }) => heading !== "" && !(heading in ELSEWHERE))
    .flatMap(({ markdown }) => renderMarkdown(markdown, { linkOf: () => undefined }).sections)
    .map(({ id, title, text }) => ({ page: REFERENCE, anchor: id, title, of: "API reference", text }));
}

function objectsOf(contract: Contract): Unnumbered[] {
  return ["Payment", "Callback", "Error"].map((name) => ({
    ...{ page: REFERENCE, anchor: objectAnchor(name), title: `${name} object`, of: "API reference" },
    text: listFields(contract, { $ref: `#/components/schemas/${name}` })
      .map(({ name: field, description }) => `${field} ${description}`)
      .join(" "),
  }));
}

function sectionsOf(contract: Contract, { name, markdown }: GuideSource): Unnumbered[] {
  const whole = includeContract(markdown, contract.info.description ?? "");
  const { sections } = renderMarkdown(whole, { linkOf: () => undefined });
  return sections.map(({ id, title, text }, at) => ({
    ...{ page: name, anchor: at === 0 ? "" : id, title, of: sections[0]?.title ?? "" },
    text,
  }));
}
