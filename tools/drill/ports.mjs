// Ports of loopback that nothing listens on now.
import { createServer } from "node:net";

export const HOST = "127.0.0.1";

export async function freePorts(count) {
  const servers = await Promise.all(Array.from({ length: count }, listen));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

function listen() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, HOST, () => resolve(server));
  });
}
