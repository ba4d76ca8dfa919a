import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { listOperations, readContract } from "./contract-document.ts";
import { renderContract } from "./render-contract.ts";

const yaml = readFileSync(new URL("../../../docs/openapi.yaml", import.meta.url), "utf8");
const contract = readContract(yaml);
const page = renderContract(yaml);

describe("the page of the real contract", () => {
  test("is one document in English with one title", () => {
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(page.match(/<h1>/g)).toHaveLength(1);
    expect(page).toContain("<title>Tillgate merchant API</title>");
  });

  test.each(listOperations(contract))("has $method $path, and leads to it", ({ path, method, anchor, summary }) => {
    expect(page).toContain(`<h3 id="${anchor}"><span class="method">${method}</span> <code>${path}</code></h3>`);
    expect(page).toContain(`<a href="#${anchor}">`);
    expect(page).toContain(`<p class="summary">${summary}</p>`);
  });

  test("shows members through references, with their bounds", () => {
    const row = cellsOfRow("balance[].locked_amount", 5);
    expect(row.slice(1, 4)).toEqual(["integer", "yes", "0 to 10,000,000,000,000"]);
    expect(cellsOfRow("[].sbp_code", 5).slice(1, 4)).toEqual(["string", "yes", "matches ^\\d{12}$"]);
    expect(cellsOfRow("general.project_id", 5).slice(1, 4)).toEqual(["string", "yes", "1 to 32 characters"]);
  });

  test("shows the headers of a call, whether they are parameters or security", () => {
    for (const name of ["content-type", "x-access-timestamp", "x-access-merchant-id", "x-access-token"]) {
      expect(cellsOfRow(name, 5).slice(1, 3)).toEqual(["string", "yes"]);
    }
    expect(cellsOfRow("x-access-merchant-algorithm", 5).slice(1, 3)).toEqual(["string", "no"]);
  });

  test("says which codes come with which status", () => {
    expect(page).toContain('<a href="#answer-ratelimited">429</a>');
    expect(cellsOfRow("timestamp_out_of_window", 3)[1]).toBe("401");
  });

  test("runs nothing and loads nothing", () => {
    expect(page).not.toMatch(/<(script|link|img|iframe|object|embed|form|base)\b/i);
    expect(page).not.toMatch(/\ssrc=|\son\w+=|url\(|@import/i);
  });

  test("links only to itself and to the document", () => {
    const targets = [...page.matchAll(/href="([^"]*)"/g)].map(([, target = ""]) => target);
    const ids = new Set([...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => `#${id}`));
    expect(targets.filter((target) => !ids.has(target))).toEqual(["docs/openapi.yaml"]);
  });

  test("has every id once, and closes what it opens", () => {
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(unbalancedTags(page)).toEqual([]);
  });
});

test("whatever the document says is text, in every place", () => {
  const hostile = `<script>alert("x")</script><b onclick='y'>&amp; "' \`<i>\` **<u>**`;
  const rendered = renderContract(
    stringify({
      info: {
        title: hostile,
        version: hostile,
        description: `## ${hostile}\n\n${hostile}\n\n- ${hostile}\n\n| ${hostile} | b |\n|---|---|\n| ${hostile} | ${hostile} |\n\n\`\`\`\n${hostile}\n\`\`\`\n`,
      },
      servers: [{ url: hostile, description: hostile }],
      tags: [{ name: hostile, description: hostile }],
      paths: { [`/${hostile}`]: { post: hostileOperation(hostile) } },
      components: {
        schemas: { Error: { type: "object", properties: { [hostile]: { type: hostile, description: hostile } } } },
        responses: { [hostile]: { description: hostile, headers: { [hostile]: { description: hostile } } } },
        securitySchemes: { key: { in: "header", name: hostile, description: hostile } },
      },
    }),
  );
  expect(rendered).not.toMatch(/<script|<b\b|<i\b|<u\b/);
  expect(rendered).toContain("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;");
  expect(unbalancedTags(rendered)).toEqual([]);
  // No attribute was left early: inside tags there are only the quotes of the attributes themselves.
  const attributes = [...rendered.matchAll(/<[a-z]\w*((?:\s+[\w-]+="[^"<>]*")*)\s*>/g)];
  expect(attributes.length).toBe([...rendered.matchAll(/<[a-z]/g)].length);
});

function hostileOperation(hostile: string): object {
  const schema = { type: "object", properties: { a: { enum: [hostile], pattern: hostile, default: hostile } } };
  const content = {
    [hostile]: { schema, examples: { [hostile]: { summary: hostile, value: { [hostile]: hostile } } } },
  };
  return {
    tags: [hostile],
    summary: hostile,
    description: hostile,
    security: [{ key: [] }],
    parameters: [{ name: hostile, in: "header", description: hostile, schema: { const: hostile } }],
    requestBody: { content },
    responses: { [hostile]: { description: hostile, headers: { [hostile]: { description: hostile } }, content } },
  };
}

/** The texts of the first row with this heading in a table of so many columns. */
function cellsOfRow(name: string, columns: number): string[] {
  const rows = [...page.matchAll(/<tr role="row">(.*)<\/tr>/g)].map(([, cells = ""]) =>
    [...cells.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell = ""]) => cell.replace(/<[^>]*>/g, "")),
  );
  return rows.find((cells) => cells[0] === name && cells.length === columns) ?? [];
}

const VOID_TAGS = new Set(["meta", "!doctype"]);

function unbalancedTags(markup: string): string[] {
  const open: string[] = [];
  for (const [, slash, name = ""] of markup.matchAll(/<(\/?)([a-z!][\w]*)[^>]*>/g)) {
    if (VOID_TAGS.has(name)) continue;
    if (slash === "") open.push(name);
    else if (open.pop() !== name) return [`</${name}>`];
  }
  return open;
}
