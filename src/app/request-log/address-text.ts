const PLAIN_ADDRESS = /^[0-9a-f.:]{1,45}$/;
const ADDRESS_MAX = 64;

/** A caller's address as JSON text. It may come from a proxy's header. */
export function addressText(address: string): string {
  return PLAIN_ADDRESS.test(address) ? `"${address}"` : JSON.stringify(address.slice(0, ADDRESS_MAX));
}
