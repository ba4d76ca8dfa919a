import { BUILT_IN_PROVIDERS } from "../../core/providers.ts";
import { readUpstreamSettings } from "../../core/upstream-settings.ts";
import type { ListedProviderKey, ProviderKey } from "../../store/providers/provider-keys.ts";
import type { ConfiguredProvider } from "../../store/providers/providers.ts";
import { renderPairs, renderTable, showInstant } from "../kit/output.ts";
import { shortToken } from "../merchants/key-view.ts";

/** How providers and their keys are shown. Their secrets never are. */

type Pauses = ReadonlySet<string>;

export function renderProviders(configured: readonly ConfiguredProvider[], paused: Pauses): string {
  const builtIn = [...BUILT_IN_PROVIDERS].map(([code, { books }]) => [
    code,
    "built-in",
    books.join(", "),
    paused.has(code) ? "paused" : "active",
    "-",
  ]);
  const rows = configured.map((each) => [each.code, each.kind, each.book, stateOf(each, paused), each.baseUrl]);
  const titles = ["PROVIDER", "KIND", "BOOK", "STATE", "BASE URL"];
  return renderTable(
    titles.map((title) => ({ title })),
    [...builtIn, ...rows],
  );
}

function stateOf({ code, retiredAt }: ConfiguredProvider, paused: Pauses): "retired" | "paused" | "active" {
  if (retiredAt !== null) return "retired";
  return paused.has(code) ? "paused" : "active";
}

export function listJson(configured: readonly ConfiguredProvider[], paused: Pauses) {
  const builtIn = [...BUILT_IN_PROVIDERS].map(([code, { books }]) => ({
    provider: code,
    kind: "built-in",
    books,
    state: paused.has(code) ? "paused" : "active",
  }));
  return [...builtIn, ...configured.map((provider) => providerJson(provider, paused))];
}

export function providerJson(provider: ConfiguredProvider, paused: Pauses) {
  const settings = readUpstreamSettings(provider.settings);
  return {
    provider: provider.code,
    kind: provider.kind,
    books: [provider.book],
    state: stateOf(provider, paused),
    base_url: provider.baseUrl,
    merchant_id: settings.merchantId,
    project_id: settings.projectId,
    scheme: settings.scheme,
    three_ds: settings.threeDs,
    serves: settings.serves ?? null,
    needs_holder: settings.needsHolder,
    test_cards: settings.testCards,
    pins: settings.pins ?? null,
    calls_max: settings.callsMax,
    timeout_ms: settings.timeoutMs,
    created_at: provider.createdAt.toISOString(),
    retired_at: provider.retiredAt?.toISOString() ?? null,
  };
}

export function renderProvider(provider: ConfiguredProvider, paused: Pauses, callbackUrl: string | undefined): string {
  const settings = readUpstreamSettings(provider.settings);
  return renderPairs([
    ["provider", provider.code],
    ["kind", provider.kind],
    ["book", provider.book],
    ["state", stateOf(provider, paused)],
    ["base URL", provider.baseUrl],
    ["merchant there", settings.merchantId],
    ["project there", settings.projectId],
    ["signing scheme", String(settings.scheme)],
    ["3-D Secure", settings.threeDs],
    ["serves", settings.serves?.join(", ") ?? "every method"],
    ["holder's name", settings.needsHolder ? "needed" : "not needed"],
    ...(settings.testCards ? [["test cards", "taken, for rehearsals: real cards are refused there"] as const] : []),
    ["pins", settings.pins?.join(", ") ?? "none: any valid certificate"],
    ["calls at once", String(settings.callsMax)],
    ["time-out", `${settings.timeoutMs} ms`],
    ["its callbacks", callbackUrl ?? "TILLGATE_PUBLIC_URL is not set here"],
  ]);
}

export function renderProviderKeys(keys: readonly ListedProviderKey[]): string {
  const signing = signingKeyOf(keys);
  const titles = ["KEY", "FOR", "KIND", "STATE", "SINCE", "UNTIL", "TOKEN"];
  const rows = keys.map((key) => [
    key.id,
    key.purpose === "call" ? "calls" : "callbacks",
    key.kind,
    keyStateOf(key, signing),
    showInstant(key.createdAt),
    key.retiresAt === null ? "-" : showInstant(key.retiresAt),
    key.kind === "rsa" ? shortToken(key.token) : key.token,
  ]);
  return renderTable(
    titles.map((title) => ({ title })),
    rows,
  );
}

/** The newest one of the calls' that is in force. */
function signingKeyOf(keys: readonly ListedProviderKey[]): ListedProviderKey | undefined {
  return keys.filter((key) => key.purpose === "call" && key.inForce).at(-1);
}

function keyStateOf(key: ListedProviderKey, signing: ListedProviderKey | undefined): string {
  if (!key.inForce) return "retired";
  if (key.purpose === "callback") return "verifies";
  return key.id === signing?.id ? "signs" : "kept";
}

export function providerKeyJson(key: ProviderKey) {
  return {
    key_id: key.id,
    provider: key.provider,
    purpose: key.purpose,
    kind: key.kind,
    token: key.token,
    created_at: key.createdAt.toISOString(),
    retires_at: key.retiresAt?.toISOString() ?? null,
  };
}

export function listedKeyJson(key: ListedProviderKey, keys: readonly ListedProviderKey[]) {
  return { ...providerKeyJson(key), state: keyStateOf(key, signingKeyOf(keys)) };
}
