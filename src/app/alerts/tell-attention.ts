import { setTimeout as sleep } from "node:timers/promises";
import { type Log, reasonOf } from "../../platform/log.ts";
import { newId } from "../../platform/new-id.ts";
import { type AlertLook, claimAlertLook, endAlertLook, lockAlertLook } from "../../store/alerts/alert-channels.ts";
import { listToldFindings, markGone, markSeen, markTold } from "../../store/alerts/alert-findings.ts";
import type { Database } from "../../store/db.ts";
import { type Finding, findingsOf } from "../attention/findings.ts";
import type { Attention } from "../attention/read-attention.ts";
import type { AlertChannel } from "./alert-channel.ts";
import { alertMessage } from "./alert-message.ts";
import { compareFindings, isNothing, type News, nameOfFinding } from "./compare-findings.ts";

export type AlertDeps = {
  readonly db: Database;
  readonly log: Pick<Log, "warn">;
  readonly channels: readonly AlertChannel[];
  readonly readAttention: () => Promise<Attention>;
  readonly publicUrl: () => string;
};

const LOOK_EVERY_S = 60;
/** Longer than the slowest reading and the slowest mail server together. A process that dies leaves its look for so long. */
const LEASE_S = 150;
/** After each refusal in a row; then as the last. */
const PAUSES_S = [60, 120, 300, 900, 1_800, 3_600];

/**
 * Tells each channel what changed since its last message. The database decides which process does: the look is claimed, the message
 * is sent while no transaction is open, and what was told is written down. A process that dies in between sends it again.
 */
export async function tellAttention(deps: AlertDeps): Promise<void> {
  for (const channel of deps.channels) {
    const look = await claimAlertLook(deps.db, channel.name, LEASE_S);
    if (look !== undefined) await tell(deps, channel, look);
  }
}

async function tell(deps: AlertDeps, channel: AlertChannel, look: AlertLook): Promise<void> {
  const { db, log, publicUrl, readAttention } = deps;
  // Play money wakes no operator; `attention` shows it.
  const findings = findingsOf(await readAttention()).filter(({ book }) => book !== "test");
  const news = compareFindings(findings, await listToldFindings(db, channel.name), look.now);
  if (isNothing(news)) return endLook(db, look, findings, { news, fault: undefined });
  const message = alertMessage(news, { id: newId(), serviceUrl: publicUrl(), now: look.now });
  const fault = await channel.send(message);
  if (fault !== undefined)
    log.warn(
      { channel: channel.name, reason: fault, failures: look.failureCount + 1 },
      "a message about attention could not be delivered",
    );
  await endLook(db, look, findings, { news, fault });
}

type Told = { readonly news: News; readonly fault: string | undefined };

function endLook(db: Database, look: AlertLook, findings: readonly Finding[], { news, fault }: Told): Promise<void> {
  const { channel, failureCount } = look;
  return db.transaction(async (tx) => {
    if (!(await lockAlertLook(tx, look))) return;
    await markSeen(tx, channel, findings.map(nameOfFinding));
    if (fault === undefined) {
      const told = [...news.appeared, ...news.lasting];
      await markTold(
        tx,
        channel,
        told.map((finding) => ({ finding: nameOfFinding(finding), count: finding.count })),
      );
      await markGone(tx, channel, news.gone);
    }
    const nextInS = fault === undefined ? LOOK_EVERY_S : (PAUSES_S[failureCount] ?? PAUSES_S.at(-1) ?? LOOK_EVERY_S);
    await endAlertLook(tx, look, { nextInS, isRefused: fault !== undefined });
  });
}

export type AlertWatch = { readonly close: () => Promise<void> };

/** How often this process asks whether a look is due. */
const ASK_EVERY_MS = 10_000;
/** A process that ends waits no longer for a server that does not answer: another one takes the look when its lease is over. */
const CLOSE_WITHIN_MS = 2_000;

export function watchAttention(deps: AlertDeps): AlertWatch {
  let looking: Promise<void> | undefined;
  const look = () => {
    looking ??= tellAttention(deps)
      .catch((error) => deps.log.warn({ reason: reasonOf(error) }, "attention could not be looked at for its messages"))
      .finally(() => {
        looking = undefined;
      });
  };
  const timer = setInterval(look, ASK_EVERY_MS);
  timer.unref();
  return {
    close: async () => {
      clearInterval(timer);
      await Promise.race([looking, sleep(CLOSE_WITHIN_MS, undefined, { ref: false })]);
    },
  };
}
