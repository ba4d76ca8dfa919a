import { type Html, html } from "../../platform/html.ts";
import {
  type Contract,
  componentName,
  listOperations,
  type NamedOperation,
  readContract,
  resolve,
} from "./contract-document.ts";
import { CONTRACT_STYLE } from "./contract-style.ts";
import { type Block, parseMarkdown, renderBlock, renderInline, renderMarkdown } from "./render-markdown.ts";
import { renderOperation, renderSharedAnswer } from "./render-operation.ts";
import { slugOf } from "./render-parts.ts";
import { renderMembers } from "./render-schema.ts";

/** The contract as one page for people. It runs nothing and loads nothing; every text of the document is escaped. */
export function renderContract(yaml: string): string {
  const contract = readContract(yaml);
  const introduction = parseMarkdown(contract.info.description ?? "");
  const groups = groupByTag(contract);
  const { title, version } = contract.info;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${CONTRACT_STYLE}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<h1>${title}</h1>
<p>Version ${version}. For programs: <a href="docs/openapi.yaml">this contract as OpenAPI</a>.</p>
</header>
<div class="columns">
${renderNavigation(introduction, groups)}<main id="content">
${introduction.map(renderBlock)}${renderServers(contract)}${groups.map((group) => renderGroup(contract, group))}
${renderErrorAnswers(contract)}</main>
</div>
</body>
</html>
`;
  return page.html;
}

type Group = { readonly name: string; readonly description: string; readonly operations: readonly NamedOperation[] };

const UNTAGGED = "Other calls";

function groupByTag(contract: Contract): Group[] {
  const operations = listOperations(contract);
  const tags = [...(contract.tags ?? []), { name: UNTAGGED }];
  const known = new Set(tags.map((tag) => tag.name));
  return tags
    .map((tag) => ({
      name: tag.name,
      description: "description" in tag ? (tag.description ?? "") : "",
      operations: operations.filter(({ tags: [first = UNTAGGED] = [] }) => {
        return tag.name === (known.has(first) ? first : UNTAGGED);
      }),
    }))
    .filter((group) => group.operations.length > 0);
}

const SERVERS = "Servers";
const ERROR_ANSWERS = "Error answers";

function renderNavigation(introduction: readonly Block[], groups: readonly Group[]): Html {
  const sections = introduction.flatMap((block) => (block.kind === "heading" && block.level <= 2 ? [block.text] : []));
  const calls = groups.map(({ name, operations }) => {
    const links = operations.map(
      ({ anchor, method, path }) =>
        html`<li><a href="#${anchor}"><span class="method">${method}</span> <code>${path}</code></a></li>\n`,
    );
    return html`<li>${linkTo(name)}\n<ul>\n${links}</ul></li>\n`;
  });
  return html`<nav aria-label="Contents">
<ul>
${[...sections, SERVERS].map((name) => html`<li>${linkTo(name)}</li>\n`)}${calls}<li>${linkTo(ERROR_ANSWERS)}</li>
</ul>
</nav>
`;
}

function linkTo(heading: string): Html {
  return html`<a href="#${slugOf(heading)}">${renderInline(heading)}</a>`;
}

function renderServers(contract: Contract): Html {
  const servers = (contract.servers ?? []).map(
    ({ url, description = "" }) => html`<li><code>${url}</code>: ${renderInline(description)}</li>\n`,
  );
  return html`<h2 id="${slugOf(SERVERS)}">${SERVERS}</h2>\n<ul>\n${servers}</ul>\n`;
}

function renderGroup(contract: Contract, { name, description, operations }: Group): Html {
  return html`<h2 id="${slugOf(name)}">${name}</h2>
${renderMarkdown(description)}${operations.map((operation) => renderOperation(contract, operation))}`;
}

/** The body of every error, once, and then each answer that operations share. */
function renderErrorAnswers(contract: Contract): Html {
  const error = contract.components?.schemas?.Error;
  const body = error === undefined ? undefined : renderMembers(contract, error);
  const answers = Object.entries(contract.components?.responses ?? {}).map(([name, answer]) =>
    renderSharedAnswer(contract, name, statusesOf(contract, name), resolve(contract, answer)),
  );
  return html`<h2 id="${slugOf(ERROR_ANSWERS)}">${ERROR_ANSWERS}</h2>
<p>Every answer that is not 2xx has this body, as <code>application/json</code>:</p>
${body}${answers}`;
}

function statusesOf(contract: Contract, answerName: string): string[] {
  const used = listOperations(contract).flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, answer]) => (componentName(answer) === answerName ? [status] : [])),
  );
  return [...new Set(used)];
}
