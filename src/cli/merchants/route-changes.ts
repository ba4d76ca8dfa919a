import type { RouteChange } from "../../app/merchants/project-rules.ts";
import { type Direction, findMethod, listMethodOffers } from "../../core/merchants/methods.ts";
import { parseRoute } from "../../core/merchants/route-text.ts";
import { accountOfWay, BY_HAND, isProviderCode, POOL_PROVIDER } from "../../core/providers.ts";
import type { CommandInput, OptionSpec } from "../kit/command.ts";
import { quote, wrongUsage } from "../kit/option-values.ts";

/** The part of `project set` that is about the providers that payments go through. */

const DEFAULT = "none";

export const ROUTE_OPTIONS = {
  route: {
    type: "string",
    multiple: true,
    value: "DIRECTION:METHOD=PROVIDER,…",
    help: "the providers to ask, in this order; none: the default again; see below for weights and conditions",
  },
} as const satisfies Record<string, OptionSpec>;

export function readRouteChanges(input: CommandInput): readonly RouteChange[] {
  const routes = (input.texts("route") ?? []).map(readRoute);
  const names = routes.map(({ direction, method }) => `${direction}:${method}`);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw wrongUsage(`--route names ${twice} twice.`);
  return routes;
}

function readRoute(text: string): RouteChange {
  const [, first, code, list] = /^([^:=]*):([^:=]*)=(.+)$/.exec(text) ?? [];
  if (code === undefined || list === undefined || (first !== "payin" && first !== "payout")) {
    throw wrongUsage(`--route must be like payin:card-p2p=sandbox. It is ${quote(text)}.`);
  }
  const place = readPlace(first, code);
  if (list === DEFAULT) return { ...place, providers: [] };
  if (!/[*+[\]]/.test(list)) return { ...place, providers: readProviders(list) };
  const entries = parseRoute(list);
  if (!entries.ok) {
    const { at, message } = entries.error;
    throw wrongUsage(`--route ${first}:${code}: character ${at} after the =: ${message}.`);
  }
  return { ...place, entries: entries.value, providers: [...new Set(entries.value.map(({ provider }) => provider))] };
}

export function readPlace(direction: Direction, code: string): Pick<RouteChange, "direction" | "method"> {
  const method = findMethod(code);
  if (method === undefined) {
    const known = [...new Set(listMethodOffers().map((offer) => offer.method))].join(", ");
    throw wrongUsage(`There is no method ${quote(code)}. The methods are ${known}.`);
  }
  if (!listMethodOffers().some((offer) => offer.method === method && offer.direction === direction)) {
    throw wrongUsage(`There are no ${direction}s by ${method}.`);
  }
  return { direction, method };
}

function readProviders(list: string): readonly string[] {
  const providers = list.split(",");
  if (new Set(providers).size !== providers.length) throw wrongUsage("--route names a provider twice.");
  return providers.map((provider) => readProvider(provider));
}

/** The form of a provider's code; whether there is such a provider, the database knows. */
export function readProvider(text: string): string {
  if (!isProviderCode(text)) {
    throw wrongUsage(`${quote(text)} is not a provider's code: see provider list.`);
  }
  return text;
}

/** Which way a payment's money came or left: through a provider, or by hand. */
export function readWay(text: string): string {
  if (text === POOL_PROVIDER || accountOfWay(text) !== undefined) {
    throw wrongUsage(
      "What came to a receiving account is settled by transfer record, and what left one by payout complete: see their --help.",
    );
  }
  return text === BY_HAND ? BY_HAND : readProvider(text);
}

/** Which way money went back: through a provider, from a receiving account, or by hand. */
export function readWayBack(text: string, isAccountCode: (code: string) => boolean): string {
  const account = accountOfWay(text);
  if (text === POOL_PROVIDER || (account !== undefined && !isAccountCode(account))) {
    throw wrongUsage(
      "--through must name the receiving account that it was sent from, as pool-CODE: see pool account list.",
    );
  }
  return account === undefined ? readWay(text) : text;
}
