/** Stands in the built page where the server's own address belongs, which is known only once the service runs. */
export const ADDRESS_PLACEHOLDER = "https://address-of-this-server.invalid";

const SERVERS_BLOCK = /^servers:\n(?: .*\n)+/m;

/** The contract with the address of the server that shows it, in place of the example's. */
export function withServerAddress(yaml: string, address: string): string {
  return yaml.replace(SERVERS_BLOCK, () => `servers:\n  - url: ${address}\n    description: This server.\n`);
}
