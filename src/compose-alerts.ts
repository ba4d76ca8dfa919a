import {
  type AlertChannel,
  type OpenAlertChannels,
  openEmailChannel,
  openWebhookChannel,
} from "./app/alerts/alert-channel.ts";
import { watchAttention } from "./app/alerts/tell-attention.ts";
import { readAttention } from "./app/attention/read-attention.ts";
import { FIGURES_KEPT_MS } from "./app/metrics/figures-kept.ts";
import type { Config } from "./config.ts";
import { systemClock } from "./platform/clock.ts";
import { keepFor } from "./platform/keep-for.ts";
import type { Log } from "./platform/log.ts";
import { openMailer } from "./platform/mail.ts";
import type { Metrics } from "./platform/metrics.ts";
import { POOL_ATTENTION } from "./pool/app/pool-attention.ts";
import { listFailingChannels } from "./store/alerts/alert-channels.ts";
import type { Database } from "./store/db.ts";

type AlertParts = { readonly config: Config; readonly db: Database; readonly log: Log };

/** Tells operators what `attention` lists. Every process does, of any role: if all workers are down, the others say so. */
export function composeAlerts(
  { config, db, log }: AlertParts,
  { publicUrl, metrics }: { readonly publicUrl: () => string; readonly metrics: Metrics },
  closers: (() => Promise<unknown>)[],
): void {
  const { channels, close } = openAlertChannels(config, publicUrl, log);
  const names = new Set(channels.map(({ name }) => name));
  const failing = keepFor(FIGURES_KEPT_MS, () => listFailingChannels(db));
  const help = "How long messages about attention have been refused";
  metrics.gauges("tillgate_alert_failing_seconds", help, ["channel"], async () =>
    (await failing())
      .filter(({ channel }) => names.has(channel))
      .map(({ channel, failingS }) => ({ labels: { channel }, value: failingS })),
  );
  if (channels.length === 0) return;
  closers.push(close);
  // One reading serves both channels.
  const read = keepFor(FIGURES_KEPT_MS, () => readAttention(db, POOL_ATTENTION));
  closers.push(watchAttention({ db, log, channels, publicUrl, readAttention: read }).close);
}

export function openAlertChannels(
  { alerts, smtpUrl, mailFrom }: Pick<Config, "alerts" | "smtpUrl" | "mailFrom">,
  publicUrl: () => string,
  log: Log,
): OpenAlertChannels {
  const { emails, webhookUrl: url, webhookSecret: secret } = alerts;
  const from = () => mailFrom ?? `no-reply@${new URL(publicUrl()).hostname}`;
  const mailer = emails.length === 0 || smtpUrl === undefined ? undefined : openMailer({ url: smtpUrl, from, log });
  const channels: AlertChannel[] = [
    ...(mailer === undefined ? [] : [openEmailChannel(mailer, emails)]),
    ...(url === undefined ? [] : [openWebhookChannel({ url, secret, nowMs: systemClock.nowMs })]),
  ];
  return { channels, close: async () => mailer?.close() };
}
