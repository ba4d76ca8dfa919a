import { readFileSync } from "node:fs";
import { parse, parseAllDocuments } from "yaml";

/** The files of deploy/ as their readers understand them, as far as tests compare them with the program. */

export function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
}

export type DeployedProcess = {
  /** Where it is defined. */
  readonly where: string;
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly memoryMb: number;
  /** From the signal to stop until it is killed; undefined where it is no service. */
  readonly graceS: number | undefined;
};

/** One instruction of a Containerfile, with its lines joined. */
export type Instruction = { readonly name: string; readonly value: string };

export function listInstructions(): Instruction[] {
  return read("deploy/container/Containerfile")
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll("\\\n", " ")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [, name = "", value = ""] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
      return { name, value: value.replaceAll(/\s+/g, " ") };
    });
}

/** What the image sets by itself. */
function imageEnvironment(): Record<string, string> {
  const [{ value } = { value: "" }] = listInstructions().filter(({ name }) => name === "ENV");
  return Object.fromEntries(value.split(" ").map((pair) => pair.split("=") as [string, string]));
}

type ComposeService = {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly mem_limit: string;
  readonly stop_grace_period?: string;
  readonly restart: string;
  readonly networks?: Readonly<Record<string, { readonly ipv4_address: string } | undefined>>;
} & Readonly<Record<string, unknown>>;

export type Compose = {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, { ipam?: { config: { subnet: string }[] } }>>;
  readonly secrets: Readonly<Record<string, { file: string }>>;
};

export function readCompose(): Compose {
  const settings = Object.fromEntries(
    [...read("deploy/compose/.env.example").matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
  const interpolated = read("deploy/compose/compose.yaml").replaceAll(
    /\$\{(\w+)(?::[-?][^}]*)?\}/g,
    (_all, name) => settings[name] ?? "",
  );
  return parse(interpolated, { merge: true });
}

export function composeProcesses(): DeployedProcess[] {
  return Object.entries(readCompose().services)
    .filter(([, { image }]) => image.startsWith("tillgate:"))
    .map(([name, { command = [], environment = {}, mem_limit, stop_grace_period, restart }]) => ({
      where: `compose.yaml: ${name}`,
      words: command,
      env: { ...imageEnvironment(), ...environment },
      memoryMb: megabytes(mem_limit),
      graceS: restart === "no" ? undefined : Number.parseInt(stop_grace_period ?? "10", 10),
    }));
}

type Container = {
  readonly image: string;
  readonly args: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly resources: { readonly limits: { readonly memory: string } };
  readonly lifecycle?: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } };
  readonly securityContext: unknown;
} & Readonly<Record<string, unknown>>;

export type Pod = {
  readonly terminationGracePeriodSeconds?: number;
  readonly securityContext: unknown;
  readonly automountServiceAccountToken: boolean;
  readonly enableServiceLinks: boolean;
  readonly containers: readonly [Container];
};

// biome-ignore lint/suspicious/noExplicitAny: a schema checker knows what these objects may hold
export type Manifest = { readonly kind: string; readonly metadata: any; readonly [member: string]: any };

export const MANIFESTS = [
  ...["namespace", "settings/settings", "secret.example", "migrate/job", "api", "api-scaling", "worker"],
  ...["network-policy", "ingress"],
].map((name) => `deploy/kubernetes/${name}.yaml`);

export function readManifests(): Manifest[] {
  return MANIFESTS.flatMap((path) => parseAllDocuments(read(path)).map((document) => document.toJS()));
}

export function listPods(): { readonly name: string; readonly pod: Pod }[] {
  return readManifests()
    .filter(({ kind }) => ["Deployment", "Job"].includes(kind))
    .map(({ metadata, spec }) => ({ name: metadata.name, pod: spec.template.spec }));
}

export function kubernetesProcesses(): DeployedProcess[] {
  const settings = readManifests().find(({ kind }) => kind === "ConfigMap")?.data;
  return listPods().map(({ name, pod }) => {
    const [{ args, env = [], resources, lifecycle }] = pod.containers;
    const pauseS = Number(lifecycle?.preStop.exec.command.at(-1) ?? 0);
    const graceS = pod.terminationGracePeriodSeconds;
    return {
      where: `Kubernetes: ${name}`,
      words: args,
      env: { ...imageEnvironment(), ...settings, ...Object.fromEntries(env.map((each) => [each.name, each.value])) },
      memoryMb: megabytes(resources.limits.memory),
      graceS: graceS === undefined ? undefined : graceS - pauseS,
    };
  });
}

export const UNITS = ["tillgate-api@.service", "tillgate-worker@.service", "tillgate-migrate.service"] as const;

/** The settings of a unit with what it shares with the others, in the order in which systemd reads them. */
export function readUnit(unit: (typeof UNITS)[number]): { readonly name: string; readonly value: string }[] {
  const text = read(`deploy/systemd/${unit}`) + read("deploy/systemd/tillgate-.service.d/hardening.conf");
  const instance = unit.includes("worker") ? "8091" : "8081";
  return [...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => ({
    name,
    value: value.replaceAll("%i", instance).replaceAll("%d", "/run/credentials"),
  }));
}

export function systemdProcesses(): DeployedProcess[] {
  const pairsOf = (text: string) => [...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]);
  const file = Object.fromEntries(pairsOf(read("deploy/systemd/tillgate.env.example")));
  return UNITS.map((unit) => {
    const settings = readUnit(unit);
    const valuesOf = (name: string) => settings.filter((each) => each.name === name).map(({ value }) => value);
    const own = valuesOf("Environment").flatMap((line) => pairsOf(line.replaceAll(" ", "\n")));
    const stop = valuesOf("TimeoutStopSec").at(-1);
    return {
      where: `systemd: ${unit}`,
      words: (valuesOf("ExecStart")[0] ?? "").split(" ").slice(1),
      env: { ...Object.fromEntries(own), ...file },
      memoryMb: megabytes(valuesOf("MemoryMax").at(-1) ?? ""),
      graceS: stop === undefined ? undefined : Number(stop),
    };
  });
}

/** `1g`, `1G` and `1Gi` are the same to those who read them here. */
function megabytes(text: string): number {
  const [, number, unit = ""] = /^(\d+)([gm])i?$/i.exec(text) ?? [];
  return Number(number) * (unit.toLowerCase() === "g" ? 1024 : 1);
}
