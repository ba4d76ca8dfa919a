import type { OpenProvider } from "../../app/providers/open-provider.ts";
import type { ProbeStep } from "../../core/provider-probe.ts";
import { readUpstreamSettings } from "../../core/upstream-settings.ts";

type Failed = Exclude<ProbeStep<never>, { kind: "answered" }>;

/** What an operator does about a provider that does not answer as it should. */
export function adviseOnProbe({ code, baseUrl, settings }: OpenProvider, failed: Failed): string {
  if (failed.kind === "refused") {
    const advice = OF_REFUSALS[failed.code] ?? "Ask the provider what it means.";
    return `${code} refuses our calls: HTTP ${failed.status} ${failed.code}. ${advice}`;
  }
  if (failed.kind === "not_understood") {
    return `${baseUrl} answers HTTP ${failed.status}, but not in the protocol that we speak. ${adviseOnStatus(failed.status)}`;
  }
  const { timeoutMs } = readUpstreamSettings(settings);
  const advice = OF_REASONS[failed.reason] ?? `The call failed (${failed.reason}). Try again, and ask the provider.`;
  return `${code} does not answer. ${advice.replace("{timeout}", String(timeoutMs))}`;
}

function adviseOnStatus(status: number): string {
  if (status >= 500) return "The fault is there, or in what stands before it: try again later, and ask the provider.";
  if (status >= 300 && status < 400) return "It points elsewhere, and we follow no pointer: give its final --base-url.";
  return "Check --base-url: it ends before /api/v1.";
}

const OF_REFUSALS: Readonly<Record<string, string>> = {
  signature_invalid:
    "Check that our public key, or the HMAC key's id and secret, is registered there and active, and that --merchant-id is right.",
  timestamp_out_of_window: "The clocks of the two machines differ by minutes: set this machine's clock.",
  project_forbidden: "Check --project-id, and whether the key is for test or live projects.",
  ip_not_allowed: "Ask the provider to allow the address that this machine calls from.",
  scheme_not_allowed: "It accepts signing scheme 2 only: provider set NAME --scheme 2.",
  not_found: "Check --base-url: it ends before /api/v1.",
  validation_failed:
    "It does not accept the form of our calls: check --project-id, and whether it speaks this protocol.",
  rate_limited: "It takes no more calls for now. Try again later.",
};

const OF_REASONS: Readonly<Record<string, string>> = {
  name_not_resolved: "Its host's name cannot be resolved. Check --base-url and this machine's DNS.",
  address_not_allowed: "Its host's name leads to an address that is not public, and such calls are not made.",
  connect_failed: "It accepts no connection. Check --base-url, and whether a firewall lets this machine call it.",
  connect_timeout: "No connection in time. Check --base-url, and whether a firewall lets this machine call it.",
  tls: "Its certificate is not valid for this host, or does not fit --pin.",
  timeout: "No answer within {timeout} ms: see provider set --timeout-ms.",
  reset: "It closed the connection without an answer. Try again, and ask the provider.",
  truncated: "Its answer is longer than 1 MB, which no answer of the protocol is. Check --base-url.",
  protocol: "What answers there does not speak HTTP as it should. Check --base-url.",
};
