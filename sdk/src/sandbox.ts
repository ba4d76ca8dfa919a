import { shaped } from "./answer.ts";
import type { Call } from "./call.ts";
import { type CallOptions, requireCallOptions } from "./call-options.ts";
import { requirePaymentId } from "./check-request.ts";
import type { SandboxCallbacks, SandboxClock, SandboxFaults, SandboxPayment } from "./contract-answers.ts";
import type * as contract from "./contract-requests.ts";
import {
  SANDBOX_CALLBACKS_SHAPE,
  SANDBOX_CLOCK_SHAPE,
  SANDBOX_FAULTS_SHAPE,
  SANDBOX_PAYMENT_SHAPE,
} from "./contract-shapes.ts";
import { TillgateError } from "./errors.ts";

/** The client adds `general`. */
type Without<Request> = Omit<Request, "general">;

export type SandboxList = Without<contract.SandboxPaymentsRequest>;
/** Which of the payments with this id: `{ direction: "payout" }`; without it, the pay-in. */
export type SandboxDirection = Without<contract.SandboxPaymentRequest>;
export type SandboxAct = Without<contract.SandboxActRequest>;
export type SandboxAction = SandboxAct["action"];
export type SandboxFault = Without<contract.SandboxFaultRequest>;
export type SandboxSince = Without<contract.SandboxCallbacksRequest>;
export type SandboxEchoAnswer = Without<contract.SandboxEchoAnswerRequest>;

/**
 * The outside world of a test project, for automated tests: the payer, the bank and the issuer, the clock, faults, and the
 * echo endpoint for callbacks. Each call is one path of the contract: `act` is `/sandbox/api/act`. A live project is refused.
 */
export type Sandbox = {
  /** The newest payments of the project, those that are not final first. */
  readonly payments: (request?: SandboxList, options?: CallOptions) => Promise<readonly SandboxPayment[]>;
  readonly payment: (paymentId: string, request?: SandboxDirection, options?: CallOptions) => Promise<SandboxPayment>;
  /**
   * Lets the outside world do something to a payment, one of its `actions`, and answers the payment when the service has heard
   * of it. An action that was sent is not repeated by itself, because money that arrives twice is more money.
   */
  readonly act: (paymentId: string, request: SandboxAct, options?: CallOptions) => Promise<SandboxPayment>;
  /** The clock of this test project alone. */
  readonly clock: {
    readonly forward: (seconds: number, options?: CallOptions) => Promise<SandboxClock>;
    /** To the end of the time that the payment's present state has. */
    readonly toExpiry: (paymentId: string, request?: SandboxDirection, options?: CallOptions) => Promise<SandboxClock>;
  };
  /** What goes wrong between the service and the sandbox's provider, for its next calls. */
  readonly faults: {
    readonly order: (request: SandboxFault, options?: CallOptions) => Promise<void>;
    readonly list: (options?: CallOptions) => Promise<SandboxFaults["faults"]>;
    readonly clear: (options?: CallOptions) => Promise<void>;
  };
  /** The project's echo endpoint, which takes callbacks and verifies them step by step. */
  readonly callbacks: {
    readonly list: (request?: SandboxSince, options?: CallOptions) => Promise<SandboxCallbacks>;
    /** What the endpoint answers next, such as 500 three times, so that retries can be seen. */
    readonly answer: (request: SandboxEchoAnswer, options?: CallOptions) => Promise<void>;
  };
};

const REPEATABLE = { safeToRepeat: true } as const;
const ONCE = { safeToRepeat: false } as const;
const PAYMENT_LIST_SHAPE = { payments: [SANDBOX_PAYMENT_SHAPE] } as const;

/** The service waits up to 5 seconds for each thing that an action does; `arrive_late` and `arrive_twice` do several. */
const ACT_TIMEOUT_MS = 30_000;

/** The usual advice, to repeat the call, would let money arrive a second time. */
const LOOK_FIRST = "It may have been done. Look before you call again: sandbox.payment, faults.list, callbacks.list.";

export function createSandbox(call: Call, projectId: string): Sandbox {
  const ofProject = { project_id: projectId };
  const ofPayment = (payment_id: string) => {
    requirePaymentId(payment_id);
    return { project_id: projectId, payment_id };
  };
  const ask = async (path: string, body: object, kind: typeof REPEATABLE | typeof ONCE, options?: CallOptions) => {
    try {
      return (await call(`/sandbox/api/${path}`, body, kind, options)).body;
    } catch (error) {
      if (kind === REPEATABLE || !(error instanceof TillgateError) || !error.outcomeUnknown) throw error;
      throw Object.assign(error, { advice: LOOK_FIRST });
    }
  };
  const asPayment = (answer: unknown) => shaped<SandboxPayment>(answer, SANDBOX_PAYMENT_SHAPE, "a payment");
  const asClock = (answer: unknown) => shaped<SandboxClock>(answer, SANDBOX_CLOCK_SHAPE, "of the clock");
  return Object.freeze<Sandbox>({
    payments: async (request = {}, options) => {
      const answer = await ask("payments", { ...request, general: ofProject }, REPEATABLE, options);
      return shaped<{ payments: SandboxPayment[] }>(answer, PAYMENT_LIST_SHAPE, "a list of payments").payments;
    },
    payment: async (paymentId, request = {}, options) =>
      asPayment(await ask("payment", { ...request, general: ofPayment(paymentId) }, REPEATABLE, options)),
    act: async (paymentId, request, options = {}) => {
      requireCallOptions(options);
      const limits = { ...options, timeoutMs: options.timeoutMs ?? ACT_TIMEOUT_MS };
      return asPayment(await ask("act", { ...request, general: ofPayment(paymentId) }, ONCE, limits));
    },
    clock: Object.freeze<Sandbox["clock"]>({
      forward: async (seconds, options) => asClock(await ask("clock", { general: ofProject, seconds }, ONCE, options)),
      toExpiry: async (paymentId, request = {}, options) =>
        asClock(await ask("clock", { ...request, general: ofPayment(paymentId), to: "expiry" }, ONCE, options)),
    }),
    faults: Object.freeze<Sandbox["faults"]>({
      order: async (request, options) => void (await ask("faults", { ...request, general: ofProject }, ONCE, options)),
      list: async (options) => {
        const answer = await ask("faults/list", { general: ofProject }, REPEATABLE, options);
        return shaped<SandboxFaults>(answer, SANDBOX_FAULTS_SHAPE, "a list of faults").faults;
      },
      clear: async (options) => void (await ask("faults/clear", { general: ofProject }, REPEATABLE, options)),
    }),
    callbacks: Object.freeze<Sandbox["callbacks"]>({
      list: async (request = {}, options) => {
        const answer = await ask("callbacks", { ...request, general: ofProject }, REPEATABLE, options);
        return shaped<SandboxCallbacks>(answer, SANDBOX_CALLBACKS_SHAPE, "a list of callbacks");
      },
      answer: async (request, options) =>
        void (await ask("callbacks/answer", { ...request, general: ofProject }, ONCE, options)),
    }),
  });
}
