import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { EXIT } from "../../src/cli/kit/command.ts";
import { loadConfig } from "../../src/config.ts";
import { listTables, rowsOf } from "../contract/markdown-blocks.ts";
import {
  listInstructions,
  listPods,
  MANIFESTS,
  read,
  readCompose,
  readManifests,
  readUnit,
  UNITS,
} from "./deployed-processes.ts";

/** The files of deploy/ as they are written. Their processes: deployed-processes.test.ts; the tools: `npm run check:deploy`. */
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const { version, engines } = JSON.parse(read("package.json"));
const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "deploy"], { cwd: ROOT, encoding: "utf8" })
  .trim()
  .split("\n");

const instructions = (name: string) =>
  listInstructions()
    .filter((each) => each.name === name)
    .map(({ value }) => value);

describe("deploy/", () => {
  it("is described file by file in docs/operations.md", () => {
    const section = read("docs/operations.md").split("## Deployment files\n")[1]?.split("\n## ")[0] ?? "";
    const rows = rowsOf(listTables(section), "file", "what it is", "checked by").map(([file = ""]) => `deploy/${file}`);
    const missing = files.filter(
      (file) => !rows.some((row) => (row.endsWith("/") ? file.startsWith(row) : file === row)),
    );
    expect(missing).toEqual([]);
    expect(rows.filter((row) => !existsSync(join(ROOT, row)))).toEqual([]);
  });

  it.each(files)("%s holds no secret", (file) => {
    const text = read(file);
    expect(text).not.toMatch(/-----BEGIN|\b[0-9a-f]{32,}\b/i);
    // A URL may have a password that says that it is none, or one that a script fills in.
    for (const [, password] of text.matchAll(/\w+:\/\/[^\s:/@]+:([^\s@]+)@/g))
      expect(password).toMatch(/^(PASSWORD|\$\(.+\))$/);
  });

  it.each(files.filter((file) => !file.startsWith("deploy/monitoring/")))("%s names this version, if any", (file) => {
    for (const [, named] of read(file).matchAll(/\btillgate(?:-migrate)?[:-](\d+[.-]\d+[.-]\d+)\b/g))
      expect(named?.replaceAll("-", ".")).toBe(version);
    for (const [, named] of read(file).matchAll(/(?:newTag|version): (\d.*)$/gm)) expect(named).toBe(version);
  });
});

describe("Containerfile", () => {
  it("is built from a Node that is supported and tested", () => {
    const [, major = ""] =
      /^NODE_IMAGE=docker\.io\/library\/node:(\d+)[\d.]*-\w+-slim$/.exec(instructions("ARG")[0] ?? "") ?? [];
    const [, tested = ""] = /for version in ([\d. ]+);/.exec(read(".ci/run")) ?? [];
    expect(tested.split(" ")).toContain(major);
    expect(Number(major)).toBeGreaterThanOrEqual(Number.parseFloat(engines.node.replace(">=", "")));
    expect(instructions("FROM")).toEqual([`\${NODE_IMAGE} AS build`, `\${NODE_IMAGE}`]);
  });

  it("runs as a numbered user and by exec, so that signals reach the program", () => {
    expect(instructions("USER")).toEqual(["10001:10001"]);
    expect(instructions("STOPSIGNAL")).toEqual(["SIGTERM"]);
    expect([JSON.parse(instructions("ENTRYPOINT")[0] ?? ""), JSON.parse(instructions("CMD")[0] ?? "")]).toEqual([
      ["tillgate"],
      ["start"],
    ]);
  });

  it("copies only what .dockerignore lets in, and the package alone into the image", () => {
    expect(instructions("COPY")).toEqual([". .", "--from=build /build/package /opt/tillgate"]);
    expect(
      read(".dockerignore")
        .split("\n")
        .filter((line) => line !== "" && !line.startsWith("#"))[0],
    ).toBe("*");
  });

  it("asks the program's own health", () => {
    expect(instructions("HEALTHCHECK")[0]).toContain("/healthz");
    expect(instructions("HEALTHCHECK")[0]).toMatch(/CMD \["node", /);
  });
});

describe("compose.yaml", () => {
  const { services, networks, secrets } = readCompose();
  const { postgres, proxy } = services;

  it.each(Object.keys(services))("%s is locked down and limited", (name) => {
    expect(services[name]).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      mem_limit: expect.any(String),
      restart: name === "migrate" ? "no" : "unless-stopped",
      logging: expect.anything(),
    });
  });

  it("has two processes of each role, behind a proxy that they trust", () => {
    const address = String(proxy?.networks?.front?.ipv4_address);
    for (const name of ["api-1", "api-2", "worker-1", "worker-2"]) {
      expect(services[name]?.environment?.TILLGATE_TRUSTED_PROXIES).toBe(address);
      expect(services[name]?.depends_on).toMatchObject({ migrate: { condition: "service_completed_successfully" } });
    }
    expect(networks.front?.ipam?.config[0]?.subnet).toBe(address.replace(/\d+$/, "0/24"));
    const served = [proxy?.environment?.API_1, proxy?.environment?.API_2];
    expect(served).toEqual(["api-1:8080", "api-2:8080"]);
  });

  it("gives every variable of the proxy's configuration that differs from its default", () => {
    const known = [...read("deploy/haproxy/tillgate.cfg").matchAll(/presetenv (\w+)/g)].map(([, name]) => name);
    expect(Object.keys(proxy?.environment ?? {}).sort()).toEqual(known.sort());
  });

  it("reads secrets from the files that secrets.sh makes", () => {
    const made = [...read("deploy/compose/secrets.sh").matchAll(/^ *keep (\w+) /gm)].map(
      ([, name]) => `./secrets/${name}`,
    );
    expect(
      Object.values(secrets)
        .map(({ file }) => file)
        .sort(),
    ).toEqual(made.sort());
  });

  it("has a PostgreSQL that is supported, with connections for every process", () => {
    const [, major] = /postgres:(\d+)/.exec(postgres?.image ?? "") ?? [];
    expect(Number(major)).toBeGreaterThanOrEqual(14);
    const [, connections] = /max_connections=(\d+)/.exec(postgres?.command?.join(" ") ?? "") ?? [];
    const opened = loadConfig({}, "/");
    if (!opened.ok) throw new Error("the defaults are valid");
    // A rolling restart, commands and backups beside the four processes.
    expect(Number(connections)).toBeGreaterThanOrEqual(2 * 4 * opened.value.databaseConnectionsMax);
  });
});

describe("systemd units", () => {
  it.each(UNITS)("%s gets secrets as credentials", (unit) => {
    const credentials = readUnit(unit).filter(({ name }) => name === "LoadCredential");
    expect(credentials.map(({ value }) => value.split(":")[0]).sort()).toEqual(["database_url", "master_key"]);
  });

  it("start a process again, but not with settings that are wrong", () => {
    for (const unit of UNITS.filter((each) => each.includes("@"))) {
      const restarts = readUnit(unit).filter(({ name }) => ["Restart", "RestartPreventExitStatus"].includes(name));
      expect(restarts.map(({ value }) => value)).toEqual(["always", String(EXIT.usage)]);
    }
  });
});

describe("Kubernetes manifests", () => {
  const manifests = readManifests();
  const kinds = (kind: string) => manifests.filter((each) => each.kind === kind);

  it("are all applied, but the example of secrets", () => {
    const resourcesOf = (folder: string): string[] =>
      (parse(read(`deploy/kubernetes/${folder}kustomization.yaml`)).resources as string[]).flatMap((name) =>
        name.endsWith(".yaml") ? [`deploy/kubernetes/${folder}${name}`] : resourcesOf(`${name}/`),
      );
    const applied = [...resourcesOf(""), ...resourcesOf("migrate/"), "deploy/kubernetes/secret.example.yaml"];
    expect(applied.sort()).toEqual([...MANIFESTS].sort());
    expect(files.filter((file) => /^deploy\/kubernetes\/.*(?<!kustomization)\.yaml$/.test(file)).sort()).toEqual(
      [...MANIFESTS].sort(),
    );
  });

  it.each(listPods())("$name meets the restricted security standard and writes nowhere", ({ pod }) => {
    const [user = "", group = ""] = (instructions("USER")[0] ?? "").split(":");
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: Number(user),
        runAsGroup: Number(group),
        seccompProfile: { type: "RuntimeDefault" },
      },
      containers: [
        {
          image: "tillgate",
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ["ALL"] },
          },
        },
      ],
    });
  });

  it.each(listPods().filter(({ name }) => !name.includes("migrate")))(
    "$name is probed where the service answers",
    ({ pod }) => {
      expect(pod.containers[0]).toMatchObject({
        startupProbe: { httpGet: { path: "/healthz", port: "http" } },
        livenessProbe: { httpGet: { path: "/healthz", port: "http" } },
        readinessProbe: { httpGet: { path: "/readyz", port: "http" } },
        ports: [{ name: "http", containerPort: 8080 }],
      });
    },
  );

  it("select pods that there are", () => {
    const labels = ["Deployment", "Job"]
      .flatMap(kinds)
      .map(({ spec }) => spec.template.metadata.labels["app.kubernetes.io/component"]);
    const selectors = [
      ...kinds("Deployment").map(({ spec }) => spec.selector.matchLabels),
      ...kinds("PodDisruptionBudget").map(({ spec }) => spec.selector.matchLabels),
      ...kinds("NetworkPolicy").map(({ spec }) => spec.podSelector.matchLabels),
      ...kinds("Service").flatMap(({ spec }) => spec.selector ?? []),
    ];
    expect(selectors.length).toBe(8);
    for (const selector of selectors) expect(labels).toContain(selector["app.kubernetes.io/component"]);
  });

  it("show the world nothing that is for the inside", () => {
    const [ingress] = kinds("Ingress");
    const backends = ingress?.spec.rules[0].http.paths.map(
      (each: { path: string; backend: { service: { name: string } } }) => [each.path, each.backend.service.name],
    );
    expect(backends).toEqual([
      ...["/metrics", "/readyz", "/healthz"].map((path) => [path, "tillgate-closed"]),
      ["/", "tillgate-api"],
    ]);
    expect(kinds("Service").find(({ metadata }) => metadata.name === "tillgate-closed")?.spec.selector).toBeUndefined();
  });

  it("have an example of secrets that the service refuses", () => {
    const [secret] = kinds("Secret");
    const env = {
      TILLGATE_MODE: "production",
      TILLGATE_PUBLIC_URL: "https://pay.example.com",
      TILLGATE_TRUSTED_PROXIES: "none",
    };
    const { database_url, master_key } = secret?.stringData ?? {};
    const loaded = loadConfig({ ...env, DATABASE_URL: database_url, TILLGATE_MASTER_KEY: master_key }, "/");
    expect(loaded).toMatchObject({
      ok: false,
      error: [expect.stringContaining("DATABASE_URL"), expect.stringContaining("TILLGATE_MASTER_KEY")],
    });
  });
});
