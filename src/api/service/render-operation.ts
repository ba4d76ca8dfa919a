import { type Html, html } from "../../platform/html.ts";
import {
  type Answer,
  type Content,
  type Contract,
  componentName,
  type Example,
  type Header,
  type NamedOperation,
  type OrRef,
  resolve,
} from "./contract-document.ts";
import { renderInline, renderMarkdown } from "./render-markdown.ts";
import { renderPre, renderTable, slugOf } from "./render-parts.ts";
import { codeOf, flatten, joined, renderBounds, renderMembers, typeOf } from "./render-schema.ts";

export function renderOperation(contract: Contract, operation: NamedOperation): Html {
  const { method, path, anchor, summary = "" } = operation;
  const answers = Object.entries(operation.responses);
  const own = answers.filter(([, answer]) => componentName(answer) === undefined);
  const shared = answers.filter(([, answer]) => componentName(answer) !== undefined);
  return html`<section class="operation" aria-labelledby="${anchor}">
<h3 id="${anchor}"><span class="method">${method}</span> <code>${path}</code></h3>
<p class="summary">${summary}</p>
${renderMarkdown(operation.description)}${renderRequest(contract, operation)}${own.map(([status, answer]) => {
  const resolved = resolve(contract, answer);
  return html`<h4>Answer ${status}</h4>\n${renderAnswer(contract, resolved)}`;
})}${renderSharedAnswers(contract, shared)}</section>
`;
}

function renderRequest(contract: Contract, operation: NamedOperation): Html {
  const headers = listRequestHeaders(contract, operation);
  const headerTable = headers.length === 0 ? undefined : html`<h4>Headers</h4>\n${renderHeaders(contract, headers)}`;
  const content = operation.requestBody?.content;
  const body = content === undefined ? undefined : html`<h4>Body</h4>\n${renderContent(contract, content)}`;
  return html`${headerTable}${body}`;
}

type NamedHeader = readonly [name: string, header: Header];

/** Those that the body's type and the security ask for belong to the headers that must be sent, as parameters do. */
function listRequestHeaders(contract: Contract, operation: NamedOperation): NamedHeader[] {
  const types = Object.keys(operation.requestBody?.content ?? {});
  const parameters = (operation.parameters ?? []).map((parameter) => resolve(contract, parameter));
  const schemes = (operation.security ?? contract.security ?? []).flatMap((requirement) => Object.keys(requirement));
  return [
    ...types.map((type): NamedHeader => ["content-type", { required: true, schema: { type: "string", const: type } }]),
    ...parameters.filter((each) => each.in === "header").map((each): NamedHeader => [each.name, each]),
    ...schemes.flatMap((name): NamedHeader[] => {
      const scheme = contract.components?.securitySchemes?.[name];
      if (scheme?.name === undefined || scheme.in !== "header") return [];
      const { description = "" } = scheme;
      return [[scheme.name, { required: true, description, schema: { type: "string" } }]];
    }),
  ];
}

function renderHeaders(contract: Contract, headers: readonly NamedHeader[]): Html {
  return renderTable(
    ["Header", "Type", "Required", "Bounds", "Description"],
    headers.map(([name, header]) => {
      const schema = flatten(contract, header.schema ?? {});
      return [
        html`<code>${name}</code>`,
        html`${typeOf(contract, schema)}`,
        html`${header.required === true ? "yes" : "no"}`,
        renderBounds(schema),
        renderInline(header.description ?? ""),
      ];
    }),
  );
}

function renderContent(contract: Contract, content: Content): Html[] {
  return Object.entries(content).map(([type, media]) => {
    const examples = Object.entries(media.examples ?? {}).map(([name, example]) =>
      renderExample(name, resolve(contract, example)),
    );
    const schema = media.schema ?? {};
    const kind = typeOf(contract, flatten(contract, schema));
    return html`<p><code>${type}</code>, ${kind}</p>\n${renderMembers(contract, schema)}${examples}`;
  });
}

function renderExample(name: string, example: Example): Html {
  const caption = example.summary ?? name;
  return html`<figure>
<figcaption>Example: ${caption}</figcaption>
${renderPre(exampleText(example), caption)}</figure>
`;
}

function exampleText({ value }: Example): string {
  return typeof value === "string" ? value.trimEnd() : (JSON.stringify(value, null, 2) ?? "");
}

function renderAnswer(contract: Contract, answer: Answer): Html {
  return html`<p>${renderInline(answer.description)}</p>
${renderContent(contract, answer.content ?? {})}${renderAnswerHeaders(contract, answer)}`;
}

/** A list, since a table for the one or two that an answer has would outweigh the rest of it. */
function renderAnswerHeaders(contract: Contract, answer: Answer): Html | undefined {
  const items = Object.entries(answer.headers ?? {}).map(([name, value]) => {
    const header = resolve(contract, value);
    const bounds = renderBounds(flatten(contract, header.schema ?? {}));
    const note = bounds.html === "" ? undefined : html` (${bounds})`;
    return html`<li>Header <code>${name}</code>${note}: ${renderInline(header.description ?? "")}</li>\n`;
  });
  return items.length === 0 ? undefined : html`<ul>\n${items}</ul>\n`;
}

type NamedAnswer = readonly [status: string, answer: OrRef<Answer>];

function renderSharedAnswers(contract: Contract, answers: readonly NamedAnswer[]): Html | undefined {
  if (answers.length === 0) return undefined;
  const rows = answers.map(([status, ref]) => {
    const answer = resolve(contract, ref);
    const link = html`<a href="#${sharedAnchor(componentName(ref) ?? "")}">${status}</a>`;
    return [link, renderCodes(contract, answer), renderInline(answer.description)];
  });
  return html`<h4>Error answers</h4>\n${renderTable(["HTTP", "Codes", "When"], rows)}`;
}

function sharedAnchor(name: string): string {
  return `answer-${slugOf(name)}`;
}

/** The error codes that an answer can carry. */
function renderCodes(contract: Contract, answer: Answer): Html {
  const codes = Object.values(answer.content ?? {}).flatMap(({ schema = {} }) => {
    const code = flatten(contract, schema).properties?.code;
    return code === undefined ? [] : (flatten(contract, code).enum ?? []);
  });
  return joined(codes.map(codeOf), ", ");
}

/** An answer that several operations refer to. Its body is the error body, which the page describes once. */
export function renderSharedAnswer(
  contract: Contract,
  name: string,
  statuses: readonly string[],
  answer: Answer,
): Html {
  const examples = Object.values(answer.content ?? {}).flatMap(({ examples: named = {} }) =>
    Object.entries(named).map(([label, example]) => renderFoldedExample(label, resolve(contract, example))),
  );
  return html`<section aria-labelledby="${sharedAnchor(name)}">
<h3 id="${sharedAnchor(name)}">${statuses.join(", ")} ${wordsOf(name)}</h3>
<p>${renderInline(answer.description)} Codes: ${renderCodes(contract, answer)}.</p>
${renderAnswerHeaders(contract, answer)}${examples}</section>
`;
}

/** There are many of them, and each says little beyond its title. */
function renderFoldedExample(name: string, example: Example): Html {
  const caption = example.summary ?? name;
  return html`<details>
<summary>Example: ${caption}</summary>
${renderPre(exampleText(example), caption)}</details>
`;
}

/** `BodyTooLarge` → `Body too large`. */
function wordsOf(name: string): string {
  const words = name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
