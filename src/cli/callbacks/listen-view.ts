import type { CallbackVerdict } from "../../app/callbacks/verify-callback.ts";
import { findCurrency } from "../../core/currency.ts";
import { formatMoney, type Minor } from "../../core/money.ts";
import { foreignJson, showForeignText, showMerchantText } from "../kit/foreign-text.ts";
import { showInstant } from "../kit/output.ts";
import type { Forwarded } from "./listen-forward.ts";
import type { IncomingCallback } from "./listen-server.ts";

export type HeardCallback = {
  readonly callback: IncomingCallback;
  readonly verdict: CallbackVerdict;
  /** Undefined where callbacks are not passed on. */
  readonly forwarded: Forwarded | undefined;
};

export function isGenuine({ accessFault, webhookFault }: CallbackVerdict): boolean {
  return accessFault === undefined && webhookFault === undefined;
}

const SHOWN_MAX = 64;

/** One line for a person: when, whether it is genuine, which payment, its status, and the result of forwarding it. */
export function heardLine({ callback, verdict, forwarded }: HeardCallback): string {
  const { body } = verdict;
  const text = (...path: string[]) => {
    const value = valueAt(body, path);
    return value === undefined || value === null ? undefined : showForeignText(String(value), SHOWN_MAX);
  };
  const paymentId = valueAt(body, ["general", "payment_id"]);
  const status = [text("status", "status"), text("status", "sub_status")].filter((word) => word !== undefined);
  const faults = [verdict.accessFault, verdict.webhookFault].filter((fault) => fault !== undefined);
  return [
    showInstant(callback.receivedAt),
    isGenuine(verdict) ? "ok " : "BAD",
    typeof paymentId === "string" ? showMerchantText(paymentId, SHOWN_MAX) : "?",
    `#${text("event", "sequence") ?? "?"}`,
    status.join(" / ") || "?",
    ...sumsOf(body),
    ...(faults.length > 0 ? [`(${[...new Set(faults)].join("; ")})`] : []),
    ...(forwarded === undefined ? [] : [`-> ${forwardedText(forwarded)}`]),
  ].join("  ");
}

/** One line for a program, with the whole body. */
export function heardJson({ callback, verdict, forwarded }: HeardCallback): string {
  return foreignJson({
    received_at: callback.receivedAt.toISOString(),
    genuine: isGenuine(verdict),
    x_access_signature: verdict.accessFault ?? "ok",
    webhook_signature: verdict.webhookFault ?? "ok",
    ...(forwarded === undefined ? {} : { forwarded: forwardedJson(forwarded) }),
    ...(verdict.body === undefined ? { raw: callback.rawBody.toString("utf8") } : { body: verdict.body }),
  });
}

const SUMS = ["amount", "received_amount", "fee", "net"] as const;

/** `2500.00 RUB, fee 62.50 RUB, net 2437.50 RUB`; what was asked for too, where it is another sum. */
function sumsOf(body: unknown): string[] {
  const currency = findCurrency(String(valueAt(body, ["payment_info", "currency"])));
  if (currency === undefined) return [];
  const sum = (name: string) => {
    const value = valueAt(body, ["payment_info", name]);
    return typeof value === "number" ? formatMoney(BigInt(value) as Minor, currency) : undefined;
  };
  const requested = sum("requested_amount") === sum("amount") ? undefined : sum("requested_amount");
  const shown = SUMS.flatMap((name) => {
    const money = sum(name);
    if (money === undefined) return [];
    return [name === "amount" ? money : `${name.replace("_amount", "")} ${money}`];
  });
  return [[...shown, ...(requested === undefined ? [] : [`requested ${requested}`])].join(", ")];
}

function forwardedText(forwarded: Forwarded): string {
  if (forwarded.kind === "failed") {
    const hint = forwarded.reason === "ECONNREFUSED" ? " (nothing listens there: is your program running?)" : "";
    return `not passed on: ${showForeignText(forwarded.reason, SHOWN_MAX)}${hint}`;
  }
  return `${forwarded.status} in ${forwarded.latencyMs} ms`;
}

function forwardedJson(forwarded: Forwarded): object {
  if (forwarded.kind === "failed") return { failure: forwarded.reason };
  return { status: forwarded.status, latency_ms: forwarded.latencyMs };
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (found, name) =>
      typeof found === "object" && found !== null && Object.hasOwn(found, name)
        ? (found as Record<string, unknown>)[name]
        : undefined,
    value,
  );
}
