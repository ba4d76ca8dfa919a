import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as source from "../src/index.ts";

/** The package as a merchant's project installs it: packed, and installed without a network into an empty directory. */
const HOME = fileURLToPath(new URL("..", import.meta.url));
const MODULES = join(HOME, "..", "node_modules");
const project = mkdtempSync(join(tmpdir(), "tillgate-sdk-consumer-"));
const installed = join(project, "node_modules", "@tillgate", "sdk");

beforeAll(() => {
  const npm = (...args: string[]) => execFileSync("npm", args, { cwd: project, encoding: "utf8", stdio: "pipe" });
  // The build is there: what starts the tests has made it.
  npm("pack", HOME, "--ignore-scripts", "--loglevel=error");
  const [tarball = ""] = readdirSync(project);
  writeFileSync(join(project, "package.json"), '{ "private": true }');
  npm("install", "--offline", "--no-audit", "--no-fund", "--cache", join(project, "cache"), `./${tarball}`);
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .sort();
}

describe("the package", () => {
  it("holds both builds with their types, its licence and its README, and nothing else", () => {
    const sources = filesBelow(join(HOME, "src")).map((file) => file.replace(/\.ts$/, ""));
    const built = ["dist", "dist/cjs"].flatMap((folder) =>
      sources.flatMap((file) => [`${folder}/${file}.js`, `${folder}/${file}.d.ts`]),
    );
    const beside = ["LICENSE", "README.md", "package.json", "dist/cjs/package.json"];
    expect(filesBelow(installed)).toEqual([...built, ...beside].sort());
  });

  it("depends on no other package", () => {
    const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    expect(Object.keys(manifest).filter((member) => /dependencies/i.test(member))).toEqual([]);
    for (const file of filesBelow(installed).filter((name) => /\.(js|d\.ts)$/.test(name))) {
      const text = readFileSync(join(installed, file), "utf8");
      const imported = [...text.matchAll(/(?:\bfrom |\bimport\(|\brequire\()"([^"]+)"/g)].map((match) => match[1]);
      // An import that names a source would be found by this repository's compiler alone.
      expect(imported.filter((name) => !/^(node:\w+|\.{1,2}\/.+\.js)$/.test(name ?? ""))).toEqual([]);
    }
  });

  it("gives the same by require and by import, and an error of one is an error of the other", () => {
    const program = `
      const cjs = require("@tillgate/sdk");
      import("@tillgate/sdk").then((esm) => {
        const failure = { httpStatus: 409, code: "wrong_state", description: "", fieldErrors: [] };
        const error = new cjs.TillgateApiError(failure);
        class Own extends esm.TillgateError {}
        console.log(JSON.stringify({
          exports: [Object.keys(cjs).sort(), Object.keys(esm).sort()],
          twice: cjs.TillgateApiError !== esm.TillgateApiError,
          known: [error instanceof esm.TillgateApiError, error instanceof esm.TillgateError, esm.hasCode(error, "wrong_state")],
          notKnown: [error instanceof esm.TillgateTimeoutError, new Error() instanceof esm.TillgateError, error instanceof Own],
          own: [new Own("") instanceof Own, new Own("") instanceof cjs.TillgateError],
          versions: [require("@tillgate/sdk/package.json").version, esm.SDK_VERSION],
        }));
      });`;
    const said = JSON.parse(execFileSync(process.execPath, ["-e", program], { cwd: project, encoding: "utf8" }));
    const names = Object.keys(source).sort();
    expect(said).toEqual({
      exports: [names, names],
      twice: true,
      known: [true, true, true],
      notKnown: [false, false, false],
      own: [true, true],
      versions: [source.SDK_VERSION, source.SDK_VERSION],
    });
  });
});

/** What a merchant's program does, with mistakes that must not compile, so that no type has become `any`. */
const USE = `
const tillgate: Tillgate = createTillgate({
  baseUrl: "https://pay.example",
  credentials: { kind: "hmac", merchantId: "m", projectId: "p", keyId: "ak_1", secret: "s" },
});
export async function pay(signal: AbortSignal): Promise<string | undefined> {
  const customer = { id: "c", ip_address: "192.0.2.1" };
  try {
    const { payment } = await tillgate.p2p.payin.create(
      { general: { payment_id: "o" }, payment: { method: "card-p2p", amount: 1, currency: "RUB" }, customer },
      { signal },
    );
    return payment.requisites?.type === "card" ? payment.requisites.pan : undefined;
  } catch (error) {
    if (hasCode(error, "insufficient_balance", "no_provider")) return error.advice;
    // @ts-expect-error: no such code
    if (hasCode(error, "insuficient_balance")) return "";
    throw error;
  }
}
// @ts-expect-error: the receiver does not go with the method
void tillgate.p2p.payout.create({ general: { payment_id: "o" }, payment: { method: "sbp-p2p", amount: 1, currency: "RUB" }, receiver: { pan: "1" }, customer: { id: "c", ip_address: "192.0.2.1" } });
export const handle: (request: Request) => Promise<Response> = createCallbackHandler({
  webhookSecret: "whsec_x",
  onCallback: (callback) => {
    const id: string = callback.event.id;
    // @ts-expect-error: no such member
    void callback.evnt;
    return id;
  },
});
// @ts-expect-error: a public key needs a project
export const verified = (): TillgateCallback => verifyCallback({ headers: {}, rawBody: "", publicKeyPem: "" });
`;
const NAMES = "createCallbackHandler, createTillgate, hasCode, type Tillgate, type TillgateCallback, verifyCallback";
const IMPORTED = `import { ${NAMES} } from "@tillgate/sdk";\n${USE}`;
const REQUIRED = `import sdk = require("@tillgate/sdk");
const { createCallbackHandler, createTillgate, hasCode, verifyCallback } = sdk;
type Tillgate = sdk.Tillgate;
type TillgateCallback = sdk.TillgateCallback;
${USE}`;

const CONSUMERS = [
  {
    name: "nodenext",
    options: { module: "nodenext", moduleResolution: "nodenext" },
    files: ["mts", "cts", "required"],
  },
  { name: "node16", options: { module: "node16", moduleResolution: "node16" }, files: ["mts", "cts", "required"] },
  { name: "bundler", options: { module: "esnext", moduleResolution: "bundler" }, files: ["mts"] },
  { name: "commonjs", options: { module: "commonjs", moduleResolution: "bundler" }, files: ["cts", "required"] },
] as const;

it("compiles in projects of every kind, with all declarations checked", () => {
  for (const name of ["@types/node", "undici-types"]) link(name);
  const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true };
  for (const { name, options, files } of CONSUMERS) {
    const folder = join(project, name);
    mkdirSync(folder);
    const compilerOptions = { ...options, ...strict, target: "es2022", lib: ["es2022"], types: ["node"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["."] }));
    for (const kind of files) {
      const file = kind === "required" ? "required.cts" : `imported.${kind}`;
      writeFileSync(join(folder, file), kind === "required" ? REQUIRED : IMPORTED);
    }
  }
  const tsc = join(MODULES, "typescript", "bin", "tsc");
  const args = [tsc, "--build", "--verbose", ...CONSUMERS.map(({ name }) => name)];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: project, encoding: "utf8" });
  expect(stdout.split("\n").filter((line) => line.includes("error"))).toEqual([]);
  expect(status).toBe(0);
  for (const { name } of CONSUMERS) expect(stdout).toMatch(new RegExp(`Building project '.*${name}`));
});

function link(name: string): void {
  const place = join(project, "node_modules", name);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(join(MODULES, name), place);
}
