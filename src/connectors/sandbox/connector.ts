import type { ReversingAcquirer } from "../../core/card-acquirer.ts";
import type { Acknowledgement, Connector } from "../../core/connector.ts";
import { isOffered } from "../../core/merchants/methods.ts";
import { fail, ok } from "../../core/result.ts";
import { type Clock, systemClock } from "../../platform/clock.ts";
import { openSandboxCards } from "./cards.ts";
import { type ChannelOptions, openChannel, type WireAnswer } from "./channel.ts";
import { isRefused, isUnknownReference } from "./refusals.ts";
import { isAuthentic } from "./sign.ts";
import {
  fromPayinRequest,
  fromPayoutRequest,
  toPayinState,
  toPayoutOutcome,
  toPayoutState,
  toRequisitesAnswer,
  toSubjects,
} from "./translate.ts";
import { readNotificationBody, readPayin, readPayout } from "./wire.ts";

export type SandboxConnector = Connector & { readonly cards: ReversingAcquirer; readonly close: () => Promise<void> };
export type SandboxConnectorOptions = ChannelOptions & { readonly clock?: Clock };

const SANDBOX_CODE = "sandbox";

/**
 * As many as a process charges at once, and some for its questions. A charge must not wait for a connection: its deadline counts
 * from then on, and one that is called off before it was sent leaves a card that is never charged.
 */
const CARD_CONNECTIONS_MAX = 96;

const UNKNOWN = { kind: "unknown" } as const;
const NEVER_SEEN = { kind: "never_seen" } as const;
const DONE = { kind: "done" } as const;

/**
 * Speaks to the sandbox provider. Only a request that the provider shows gives the result. A refusal (400, 401) is
 * unknown, because an earlier call under the same reference may have been taken; a later state request then learns
 * whether the provider has ever seen it. A payout that the provider refuses because it has another request under the
 * reference is a conflict: what it says of that request is not about this one.
 */
export function openSandboxConnector(options: SandboxConnectorOptions): SandboxConnector {
  const { ask, close } = openChannel(options);
  const cardChannel = openChannel({ connectionsMax: CARD_CONNECTIONS_MAX, ...options });
  const clock = options.clock ?? systemClock;
  const { secret } = options;

  return {
    code: SANDBOX_CODE,
    offers: isOffered,

    askForRequisites: async (request) => {
      const payin = payinOf(await ask("POST", "/payins", fromPayinRequest(request)), request.reference);
      return payin === undefined ? UNKNOWN : toRequisitesAnswer(payin);
    },
    reportConfirm: async (reference) => {
      const payin = payinOf(await ask("POST", `${payinPath(reference)}/confirm`), reference);
      return payin === undefined ? UNKNOWN : { kind: "done", state: toPayinState(payin) };
    },
    releaseRequisites: async (reference) => {
      const answer = await ask("POST", `${payinPath(reference)}/release`);
      // Where there is no request there is nothing lent.
      return isUnknownReference(answer) ? DONE : acknowledge(answer, reference);
    },
    askPayinState: async (reference) => {
      const answer = await ask("GET", payinPath(reference));
      if (isUnknownReference(answer)) return NEVER_SEEN;
      const payin = payinOf(answer, reference);
      return payin === undefined ? UNKNOWN : toPayinState(payin);
    },

    sendPayout: async (request) => {
      const answer = await ask("POST", "/payouts", fromPayoutRequest(request));
      if (isRefused(answer, "reference_conflict")) return { kind: "conflict" };
      const payout = payoutOf(answer, request.reference);
      return payout === undefined ? UNKNOWN : toPayoutOutcome(payout);
    },
    askPayoutState: async (reference) => {
      const answer = await ask("GET", `/payouts/${encodeURIComponent(reference)}`);
      if (isUnknownReference(answer)) return NEVER_SEEN;
      const payout = payoutOf(answer, reference);
      return payout === undefined ? UNKNOWN : toPayoutState(payout);
    },

    readNotification: (notification) => {
      if (!isAuthentic(secret, notification, clock.nowMs())) return fail("not_authentic");
      const body = readNotificationBody(notification.rawBody);
      const subjects = body && toSubjects("notifications" in body ? body.notifications : [body]);
      return subjects === undefined ? fail("not_understood") : ok(subjects);
    },
    cards: openSandboxCards(cardChannel),
    close: async () => {
      await Promise.all([close(), cardChannel.close()]);
    },
  };
}

function payinPath(reference: string): string {
  return `/payins/${encodeURIComponent(reference)}`;
}

/** The request, if the answer holds the one that was asked for. */
function payinOf(answer: WireAnswer, reference: string): ReturnType<typeof readPayin> {
  if (answer.kind !== "answered" || answer.status !== 200) return undefined;
  const payin = readPayin(answer.body);
  return payin?.reference === reference ? payin : undefined;
}

function payoutOf(answer: WireAnswer, reference: string): ReturnType<typeof readPayout> {
  if (answer.kind !== "answered" || answer.status !== 200) return undefined;
  const payout = readPayout(answer.body);
  return payout?.reference === reference ? payout : undefined;
}

function acknowledge(answer: WireAnswer, reference: string): Acknowledgement {
  return payinOf(answer, reference) === undefined ? UNKNOWN : DONE;
}
