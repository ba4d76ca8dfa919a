import type { CardAcquirer } from "../../core/card-acquirer.ts";
import type { Connector, PayinRequest, PayinState, ProviderBooks, RequisitesAnswer } from "../../core/connector.ts";
import { isOffered } from "../../core/merchants/methods.ts";
import { upstreamServes } from "../../core/upstream-settings.ts";
import { type Clock, systemClock } from "../../platform/clock.ts";
import { openUpstreamBooks } from "./books.ts";
import { openCallbackMemory, openCallbackReader } from "./callbacks.ts";
import { openUpstreamCards } from "./cards.ts";
import { openChannel } from "./channel.ts";
import { findPayment, openCreate, openCreateMemory } from "./create.ts";
import type { UpstreamMemory } from "./memory.ts";
import type { UpstreamOptions } from "./options.ts";
import { P2P_PAYIN, PAYOUT_PATHS, payoutPath } from "./paths.ts";
import { openQuestion } from "./question.ts";
import { findRefusal } from "./refusals.ts";
import {
  fromPayinRequest,
  fromPayoutRequest,
  toDeclined,
  toPayinState,
  toPayoutOutcome,
  toPayoutState,
  toRequisitesAnswer,
} from "./translate.ts";

export type { BankNames, CallKey, UpstreamOptions } from "./options.ts";

export type UpstreamConnector = Connector & {
  readonly cards: CardAcquirer;
  readonly books: ProviderBooks;
  readonly close: () => Promise<void>;
};

export function openUpstreamMemory(clock: Clock = systemClock): UpstreamMemory {
  return { creates: openCreateMemory(clock), callbacks: openCallbackMemory(clock) };
}

const UNKNOWN = { kind: "unknown" } as const;
const NONE = { kind: "none" } as const;
const DONE = { kind: "done" } as const;

/**
 * Speaks to a gateway that speaks the protocol which we serve. Our reference is the payment's id there. Only a payment that the
 * gateway shows, or a refusal that is certain (`create.ts`), gives a result; everything else is unknown, and a later question
 * learns what there is.
 */
export function openUpstreamConnector(options: UpstreamOptions): UpstreamConnector {
  const { code, settings, banks, mode, clock = systemClock } = options;
  const { projectId } = settings;
  const channel = openChannel(options);
  const create = openCreate(channel, projectId, clock, options.memory?.creates);
  const question = openQuestion(channel, projectId);
  const tell = (path: string, reference: string) =>
    channel.ask(`${P2P_PAYIN}/${path}`, { general: { project_id: projectId, payment_id: reference } });

  async function askPayinState(reference: string): Promise<PayinState> {
    const found = await question([P2P_PAYIN], reference);
    return found.kind === "payment" ? toPayinState(found.payment, banks(), clock.nowMs(), mode) : found;
  }

  /**
   * The gateway has a request under this reference whose body was not quite the same: our public URL, the name of a bank or the
   * lifetime has changed since. The reference is this payment's alone, so where the sum is the same it is its request.
   */
  async function askForEarlier({ reference, amount, currency }: PayinRequest): Promise<RequisitesAnswer> {
    const found = await question([P2P_PAYIN], reference);
    if (found.kind !== "payment") return UNKNOWN;
    const { payment: terms } = found.payment;
    const isSame = BigInt(terms.requested_amount ?? terms.amount) === amount && terms.currency === currency;
    return isSame ? toRequisitesAnswer(found.payment, banks(), mode) : UNKNOWN;
  }

  return {
    code,
    offers: (direction, method, currency) =>
      isOffered(direction, method, currency) && upstreamServes(settings, direction, method),

    askForRequisites: async (request) => {
      const created = await create(P2P_PAYIN, request.reference, fromPayinRequest(options, request));
      if (created.kind === "payment") return toRequisitesAnswer(created.payment, banks(), mode);
      return created.kind === "conflict" ? askForEarlier(request) : created.kind === "refused" ? NONE : UNKNOWN;
    },
    reportConfirm: async (reference) => {
      const answer = await tell("confirm", reference);
      const payment = findPayment(answer, projectId, reference);
      if (payment !== undefined) return { kind: "done", state: toPayinState(payment, banks(), clock.nowMs(), mode) };
      if (findRefusal(answer)?.meaning !== "wrong_state") return UNKNOWN;
      // It cannot be confirmed any more, or not yet.
      const state = await askPayinState(reference);
      return state.kind === "declined" ? { kind: "done", state } : UNKNOWN;
    },
    releaseRequisites: async (reference) => {
      const answer = await tell("cancel", reference);
      if (findPayment(answer, projectId, reference) !== undefined) return DONE;
      const meaning = findRefusal(answer)?.meaning;
      // Where there is no request there is nothing lent; one that is paid or over cannot be cancelled.
      return meaning === "not_found" || meaning === "wrong_state" ? DONE : UNKNOWN;
    },
    askPayinState,

    sendPayout: async (request) => {
      const body = fromPayoutRequest(options, request);
      const created = await create(payoutPath(request.method), request.reference, body, request.repeatedSince);
      if (created.kind === "payment") return toPayoutOutcome(created.payment);
      return created.kind === "refused" ? toDeclined(created.code) : created;
    },
    askPayoutState: async (reference) => {
      const found = await question(PAYOUT_PATHS, reference);
      return found.kind === "payment" ? toPayoutState(found.payment) : found;
    },

    readNotification: openCallbackReader({
      ...{ projectId, clock, keys: options.callbackKeys },
      seen: options.memory?.callbacks,
    }),
    cards: openUpstreamCards(channel, create, options),
    books: openUpstreamBooks(channel, projectId, question),
    close: channel.close,
  };
}
