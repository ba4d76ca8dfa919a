// HAProxy in front of the api processes, as merchants reach them.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { HOST } from "./ports.mjs";
import { start } from "./processes.mjs";

/**
 * A call that was sent is not sent to another process: the caller decides whether to repeat it. While no process is ready, one is asked
 * all the same, so that the caller gets the service's own answer.
 */
export function startFront({ directory, port, apiPorts }) {
  const servers = apiPorts.flatMap((apiPort, place) => [
    `  server api${place + 1} ${HOST}:${apiPort} check`,
    `  server anyway${place + 1} ${HOST}:${apiPort} backup`,
  ]);
  const config = join(directory, "front.cfg");
  writeFileSync(config, `${HEAD}\n  bind ${HOST}:${port}\n${servers.join("\n")}\n`);
  start("front", "haproxy", ["-db", "-f", config], { logFile: join(directory, "haproxy-front.log") });
  return `http://${HOST}:${port}`;
}

const HEAD = `global
  maxconn 4000
defaults
  mode http
  timeout connect 1s
  timeout client 60s
  timeout server 60s
  timeout check 2s
  retries 1
  option redispatch
  retry-on conn-failure
listen api
  balance roundrobin
  option httpchk GET /readyz
  http-check expect status 200
  option forwardfor
  option allbackups
  default-server inter 1s fall 2 rise 1`;
