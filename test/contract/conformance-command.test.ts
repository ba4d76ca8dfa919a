import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
// @ts-expect-error: a tool without types
import { CONNECTORS } from "../../tools/conformance.mjs";
import { readDocument } from "./document-commands.ts";

/** `npm run conformance -- NAME`. */
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const rows = Object.entries(CONNECTORS as Record<string, { requests: string; cards?: string }>);

function conformance(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["tools/conformance.mjs", ...words], {
    cwd: ROOT,
    encoding: "utf8",
    env: { PATH: process.env.PATH },
  });
  return { status, stdout, stderr };
}

it("knows every test that runs a suite, by the name that the suite is given there", () => {
  const called = ["src", "examples/connector"].flatMap((folder) =>
    readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: "utf8" })
      .map((file) => `${folder}/${file}`)
      .filter((file) => file.endsWith(".test.ts"))
      .flatMap((file) =>
        [...readFileSync(`${ROOT}${file}`, "utf8").matchAll(/\bdescribe(Card)?Conformance\("([\w-]+)"/g)].map(
          ([, card, name]) => `${name} ${card === undefined ? "requests" : "cards"} ${file}`,
        ),
      ),
  );
  const listed = rows.flatMap(([name, { requests, cards }]) => [
    `${name} requests ${requests}`,
    ...(cards === undefined ? [] : [`${name} cards ${cards}`]),
  ]);
  expect(listed.sort()).toEqual(called.sort());
  for (const [name, { requests, cards }] of rows) {
    const says = readFileSync(`${ROOT}${requests}`, "utf8").includes("chargesCards: true");
    expect([name, says]).toEqual([name, cards !== undefined]);
  }
});

it("names the connectors that there are when it is given another", () => {
  for (const words of [[], ["another"], ["sandbox", "pool"], ["no/such/file.ts"]]) {
    const { status, stdout, stderr } = conformance(...words);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    for (const [name] of rows) expect(stderr).toContain(name);
  }
  expect(readDocument("docs/connectors.md")).toContain("npm run conformance -- example");
});

it("says which rules a connector breaks that calls a payout declined when its answer was lost", () => {
  const { status, stdout } = conformance("--no-database", "test/contract/lying-connector.ts");
  const failed = [...stdout.matchAll(/^ {2}FAILED +(.*)$/gm)].map(([, rule = ""]) => rule);
  expect({ status, stdout }).toMatchObject({ status: 1 });
  for (const trouble of ["timeout", "error500", "garbage", "reset"]) {
    expect(failed).toContainEqual(expect.stringMatching(`^${trouble} when a payout is sent`));
  }
  expect(failed.filter((rule) => !/payout|lost on the way|cannot be reached/.test(rule))).toEqual([]);
  expect(stdout).toMatch(/^ {2}passed +are understood when they are the provider's/m);
  expect(stdout).toContain(`${failed.length} failed`);
});
