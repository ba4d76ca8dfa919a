import type { Connector } from "../core/connector.ts";

/** The providers that this process can speak to. */
export type Registry = {
  readonly find: (code: string) => Connector | undefined;
  readonly list: () => readonly Connector[];
};

export function openRegistry(connectors: readonly Connector[]): Registry {
  const byCode = new Map(connectors.map((connector) => [connector.code, connector]));
  if (byCode.size !== connectors.length) throw new Error("two connectors have the same code");
  return { find: (code) => byCode.get(code), list: () => connectors };
}
