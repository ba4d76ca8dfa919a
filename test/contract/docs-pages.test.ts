import { readdirSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { CARD_PAYIN_TRANSITIONS } from "../../src/core/cards/card-transitions.ts";
import { P2P_PAYIN_TRANSITIONS } from "../../src/core/payments/payin-transitions.ts";
import { PAYOUT_TRANSITIONS } from "../../src/core/payments/payout-transitions.ts";
// @ts-expect-error: a tool without types
import { loadSite } from "../../tools/render-docs.mjs";
import type { Operation } from "../../web/docs/operations.ts";
import { type Contract, listCallbacks, listOperations } from "../../web/docs/site/contract.ts";
import { type Machine, stepsOf } from "../../web/docs/site/machines.ts";
import { readContractDocument } from "./contract.ts";

/** The pages of /docs as the build made them. */
const BUILT = fileURLToPath(new URL("../../dist/web/docs/", import.meta.url));
const pages = new Map(
  readdirSync(`${BUILT}pages`).map((file) => [
    file.replace(".html", ""),
    readFileSync(`${BUILT}pages/${file}`, "utf8"),
  ]),
);
const reference = pages.get("index") ?? "";
const contract = readContractDocument() as unknown as Contract;
const BYTES_MAX = 1_000_000;

function assetOf(name: string): string {
  const file = readdirSync(`${BUILT}assets`).find((each) => each.startsWith(`${name}-`)) ?? "";
  return readFileSync(`${BUILT}assets/${file}`, "utf8");
}

describe("the reference", () => {
  it.each(listOperations(contract))("has $method $path with room for the console, and leads to it", (operation) => {
    const { anchor, method, path, summary = "" } = operation;
    const [section = ""] =
      new RegExp(`<section class="operation" id="${anchor}"[\\s\\S]*?</section>`).exec(reference) ?? [];
    expect(section).toContain(`data-method="${method.toLowerCase()}" data-path="${path}"`);
    expect(section).toContain('<div data-samples="true"></div>');
    expect(section).toContain('<div data-console="true"></div>');
    expect(section).toContain(textOf(summary));
    expect(reference).toContain(`href="#${anchor}"`);
  });

  it("has every callback with its headers, and an example of each kind", () => {
    const callbacks = listCallbacks(contract);
    expect(callbacks).not.toEqual([]);
    for (const { anchor, parameters = [], requestBody } of callbacks) {
      const [section = ""] =
        new RegExp(`<section class="callback" id="${anchor}"[\\s\\S]*?</section>`).exec(reference) ?? [];
      for (const parameter of parameters)
        if ("name" in parameter) expect(section).toContain(`${parameter.name}</code>`);
      const examples = Object.values(requestBody?.content ?? {}).flatMap(({ examples: all = {} }) =>
        Object.values(all),
      );
      expect([...section.matchAll(/<details class="example"/g)]).toHaveLength(examples.length);
    }
  });

  it("shows fields with their constraints, and the codes of errors", () => {
    expect(fieldOf("locked_amount")).toContain("0 to 10,000,000,000,000");
    expect(fieldOf("project_id")).toContain("1 to 32 characters");
    expect(fieldOf("project_id")).toContain("required");
    expect(reference).toContain('<a href="#answer-ratelimited">429</a>');
    for (const header of ["x-access-timestamp", "x-access-token", "x-access-signature"]) {
      expect(fieldOf(header)).toContain("required");
    }
    expect(fieldOf("x-access-merchant-algorithm")).not.toContain("required");
  });

  it("keeps the anchors of the page that it was", () => {
    for (const id of ["authentication", "scheme-2", "repeating-a-call", "callbacks", "sandbox", "errors", "servers"]) {
      expect(reference).toContain(` id="${id}"`);
    }
  });
});

/** The first field whose last word this is. */
function fieldOf(name: string): string {
  const pattern = new RegExp(
    `<div class="field"><dt><code>(?:<span class="prefix">[^<]*</span>)?${name}</code>[\\s\\S]*?</div>`,
  );
  return pattern.exec(reference)?.[0] ?? "";
}

function textOf(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

describe.each([...pages])("the page %s", (_name, page) => {
  it("needs no script to be read, and holds none of its own", () => {
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(page.match(/<h1[ >]/g)).toHaveLength(1);
    expect(page.match(/<script /g)).toHaveLength(1);
    expect(page).toMatch(/<script type="module" src="(docs\/)?assets\/docs-[\w-]+\.js"><\/script>/);
    expect(page).not.toMatch(/<[^>]*\s(style|on\w+)=|<(style|iframe|object|embed|form|base)\b/i);
  });

  it("loads nothing from elsewhere", () => {
    const loaded = [...page.matchAll(/<(?:link|script|img)[^>]*\s(?:src|href)="([^"]*)"/g)].map(([, url]) => url);
    for (const url of loaded) expect(url).toMatch(/^(docs\/)?assets\/|^(\.\.\/)?favicon\.svg$/);
  });

  it("has every id once", () => {
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).not.toContain("");
  });
});

it("all of it is less than a megabyte, what is compressed beside it left out", () => {
  const sizes = ["pages", "assets"].flatMap((folder) =>
    readdirSync(`${BUILT}${folder}`)
      .filter((file) => !/\.(?:br|gz)$/.test(file))
      .map((file) => statSync(`${BUILT}${folder}/${file}`).size),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(BYTES_MAX);
});

it("scripts get every operation with a body to start from", () => {
  const operations: Operation[] = JSON.parse(assetOf("operations"));
  expect(operations.map(({ method, path }) => `${method} ${path}`)).toEqual(
    listOperations(contract).map(({ method, path }) => `${method} ${path}`),
  );
  for (const { isSigned, examples, fields } of operations.filter(({ method }) => method === "POST")) {
    expect(isSigned).toBe(true);
    expect(examples[0]?.body).toMatchObject({ general: { project_id: expect.any(String) } });
    expect(fields.map(({ name }) => name)).toContain("general.project_id");
  }
});

it.each<[string, Machine]>([
  ["P2P pay-ins", P2P_PAYIN_TRANSITIONS],
  ["Card pay-ins", CARD_PAYIN_TRANSITIONS],
  ["Payouts", PAYOUT_TRANSITIONS],
])("the diagram of %s has every state and every step of the table", (heading, machine) => {
  const part = (pages.get("states") ?? "").split(`>${heading} <a`)[1]?.split("<h2")[0] ?? "";
  const states = [...part.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, state]) => state);
  expect(states.sort()).toEqual(
    Object.keys(machine)
      .map((state) => state.split(":").at(-1))
      .sort(),
  );
  expect([...part.matchAll(/<path class="arrow /g)]).toHaveLength(stepsOf(machine).length);
  expect([...part.matchAll(/<tr role="row"><th role="rowheader"/g)]).toHaveLength(stepsOf(machine).length);
});

it("what a document says is text in every place", async () => {
  const hostile = `<script>alert("x")</script><b onclick='y'>&amp; "' \`<i>\` **<u>**`;
  const { renderSite } = await loadSite();
  const assets = { script: "a.js", style: "a.css", operations: "o.json", search: "s.json" };
  const machines = { p2p: {}, card: {}, payout: {} };
  const markdown = `# ${hostile}\n\n${hostile}\n\n| ${hostile} | b |\n|---|---|\n| ${hostile} | c |\n\n\`\`\`${hostile}\n${hostile}\n\`\`\`\n\n<script>x</script>\n\n[a](javascript:alert(1))\n`;
  const guides = [{ name: "signing", file: "docs/guides/signing.md", group: "Guides", about: hostile, markdown }];
  const rendered: Record<string, string> = renderSite({ contract: hostileContract(hostile), guides, machines, assets });
  for (const page of Object.values(rendered)) {
    expect(page).not.toMatch(/<(b|i|u)\b|<script>/);
    // No attribute was left early: every tag has nothing but whole attributes, and none of them runs anything.
    const tags = [...page.matchAll(/<[a-z][\w-]*((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*\/?>/gi)];
    expect(tags).toHaveLength([...page.matchAll(/<[a-z]/gi)].length);
    for (const [, attributes = ""] of tags) expect(attributes.replaceAll(/"[^"]*"/g, "")).not.toMatch(/\son\w+=/);
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).toContain("alert(");
    expect(page).not.toContain('href="javascript:');
  }
});

function hostileContract(hostile: string): object {
  const schema = { type: "object", properties: { [hostile]: { enum: [hostile], pattern: hostile, default: hostile } } };
  const content = {
    [hostile]: { schema, examples: { [hostile]: { summary: hostile, value: { [hostile]: hostile } } } },
  };
  const operation = {
    ...{ tags: [hostile], summary: hostile, description: hostile, security: [{ key: [] }] },
    parameters: [{ name: hostile, in: "header", description: hostile, schema: { const: hostile } }],
    requestBody: { content },
    responses: { [hostile]: { description: hostile, headers: { [hostile]: { description: hostile } }, content } },
  };
  return {
    info: { title: hostile, version: hostile, description: `${hostile}\n\n## ${hostile}\n\n${hostile}` },
    servers: [{ url: hostile, description: hostile }],
    tags: [{ name: hostile, description: hostile }],
    paths: { [`/${hostile}`]: { post: operation } },
    webhooks: { [hostile]: { post: operation } },
    components: {
      schemas: { Error: schema },
      responses: { [hostile]: { description: hostile } },
      securitySchemes: { key: { in: "header", name: hostile, description: hostile } },
    },
  };
}
