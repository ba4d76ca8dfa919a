import type { Connector } from "../core/connector.ts";

/** The providers that this process can speak to. */
export type Registry = {
  readonly find: (code: string) => Connector | undefined;
  readonly list: () => readonly Connector[];
};

const NONE: Registry = { find: () => undefined, list: () => [] };

/** Those of the program, which stay; and those that an operator configured, which come and go while the process runs. */
export function openRegistry(connectors: readonly Connector[], configured: Registry = NONE): Registry {
  const byCode = new Map(connectors.map((connector) => [connector.code, connector]));
  if (byCode.size !== connectors.length) throw new Error("two connectors have the same code");
  return {
    find: (code) => byCode.get(code) ?? configured.find(code),
    list: () => [...connectors, ...configured.list()],
  };
}
