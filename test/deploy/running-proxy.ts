import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Agent } from "undici";
import { afterAll, beforeAll, vi } from "vitest";
import { makeAuthority } from "../../src/testing/http/certificates.ts";
import { freePort } from "../../src/testing/http/free-port.ts";

const CONFIGURATION = fileURLToPath(new URL("../../deploy/haproxy/tillgate.cfg", import.meta.url));

type RunningProxy = {
  readonly url: () => string;
  readonly urlWithoutTls: () => string;
  /** The world outside, which trusts the proxy's certificate; at another address of this machine, if one is given. */
  readonly fetchFrom: (localAddress?: string) => typeof globalThis.fetch;
};

/** The real HAProxy with deploy/haproxy/tillgate.cfg as it is, in front of what listens at these addresses. */
export function useRunningProxy(servers: () => readonly [string, string]): RunningProxy {
  const directory = mkdtempSync(join(tmpdir(), "tillgate-haproxy-"));
  const { cert: ca, issue } = makeAuthority();
  const agents: Agent[] = [];
  const ports = { tls: 0, plain: 0 };
  let stop: () => Promise<unknown> = async () => undefined;

  const fetchFrom: RunningProxy["fetchFrom"] = (localAddress = "127.0.0.1") => {
    const dispatcher = new Agent({ localAddress, connect: { ca } });
    agents.push(dispatcher);
    // Node's own fetch takes the dispatcher, but its type does not say so.
    return (url, init) => fetch(url, { redirect: "manual", ...init, dispatcher } as RequestInit);
  };

  beforeAll(async () => {
    const { cert, key } = issue("127.0.0.1");
    const file = join(directory, "tls.pem");
    writeFileSync(file, cert + key, { mode: 0o600 });
    Object.assign(ports, { tls: await freePort(), plain: await freePort() });
    const [API_1, API_2] = servers();
    const env = {
      ...{ PATH: process.env.PATH, TLS_CERTIFICATE: file, API_1, API_2 },
      ...{ HTTPS_BIND: `127.0.0.1:${ports.tls}`, HTTP_BIND: `127.0.0.1:${ports.plain}` },
    };
    const proxy = spawn("haproxy", ["-db", "-f", CONFIGURATION], { env, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    for (const stream of [proxy.stdout, proxy.stderr]) stream.on("data", (chunk) => (said += chunk));
    const exited = once(proxy, "exit");
    stop = async () => {
      proxy.kill("SIGTERM");
      await exited;
    };
    const listens = () => fetch(`http://127.0.0.1:${ports.plain}/`, { redirect: "manual" });
    const ended = exited.then(() => Promise.reject(new Error(`HAProxy ended:\n${said}`)));
    ended.catch(() => undefined);
    await Promise.race([vi.waitFor(listens, { timeout: 30_000, interval: 50 }), ended]);
  });
  afterAll(async () => {
    for (const agent of agents) await agent.close();
    await stop();
    rmSync(directory, { recursive: true, force: true });
  });
  return {
    url: () => `https://127.0.0.1:${ports.tls}`,
    urlWithoutTls: () => `http://127.0.0.1:${ports.plain}`,
    fetchFrom,
  };
}
