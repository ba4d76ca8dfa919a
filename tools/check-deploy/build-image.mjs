// Builds the image with the first engine that works here. Where there is none, the commands of the build stage are run in a scratch
// copy of what .dockerignore lets into the build.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { failed, isThere, judge, ok, ROOT, run } from "./tool.mjs";

const FILE = "deploy/container/Containerfile";
const TAG = "tillgate:check-deploy";

export function buildImage() {
  const engine = findEngine();
  return [engine === undefined ? replay() : build(engine)];
}

/** A client without its daemon builds nothing. */
function findEngine() {
  return ["docker", "podman", "buildah"].find((engine) => isThere(engine) && run(engine, ["info"]).ok);
}

function build(engine) {
  const { NODE_IMAGE } = process.env;
  const from = NODE_IMAGE === undefined ? [] : ["--build-arg", `NODE_IMAGE=${NODE_IMAGE}`];
  const format = engine === "docker" ? [] : ["--format", "docker"];
  const built = run(engine, ["build", ...format, ...from, "-f", FILE, "-t", TAG, "."]);
  if (!built.ok) return failed(FILE, engine, built.said);
  if (engine === "buildah") return ok(FILE, engine, `built ${TAG}`);
  const limits = ["--rm", "--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges", "--network=none"];
  const ran = run(engine, ["run", ...limits, TAG, "--version"]);
  return judge(FILE, engine, ran, `built ${TAG}; it runs without a network, rights or a place to write`);
}

function replay() {
  const tool = "npm, as no engine is here";
  const commands = buildCommands();
  const directory = mkdtempSync(join(tmpdir(), "tillgate-image-"));
  try {
    for (const name of allowedNames()) {
      cpSync(join(ROOT, name), join(directory, name), {
        recursive: true,
        filter: (path) => !/\/(node_modules|dist)$|\.log$/.test(path),
      });
    }
    for (const command of commands) {
      const ran = run("sh", ["-ec", command], { cwd: directory });
      if (!ran.ok) return failed(FILE, tool, ran.said);
    }
    const program = join(directory, "package", "bin", "tillgate.mjs");
    const said = spawnSync(process.execPath, [program, "--version"], { cwd: "/", encoding: "utf8" });
    return judge(
      FILE,
      tool,
      { ok: said.status === 0, said: said.stderr },
      `did its steps; they made ${said.stdout?.trim()}`,
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** What RUN has in the stage that builds. */
function buildCommands() {
  const [, stage = ""] = /^FROM \S+ AS build$([\s\S]*?)^FROM /m.exec(readFileSync(join(ROOT, FILE), "utf8")) ?? [];
  return [...stage.replaceAll("\\\n", " ").matchAll(/^RUN (.+)$/gm)].map(([, command]) => command);
}

function allowedNames() {
  const lines = readFileSync(join(ROOT, ".dockerignore"), "utf8").split("\n");
  return lines.filter((line) => line.startsWith("!")).map((line) => line.slice(1));
}
