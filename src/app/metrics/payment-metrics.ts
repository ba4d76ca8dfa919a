import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { Direction } from "../../core/merchants/methods.ts";
import type { Metrics } from "../../platform/metrics.ts";
import type { ApplyPayment } from "../payments/apply-payments.ts";
import type { CreatePayments } from "../payments/create-payments.ts";
import type { AppliedPayment } from "../payments/payment-after.ts";

/**
 * Counts payments as this process writes them: created, and each state that an event brings one to. Memory only: an event
 * costs about a microsecond. What a command ends (`statement import`, `payment settle`) is not in it, since a command is gone before it
 * could be asked.
 */
export type PaymentMetrics = {
  readonly creates: (creates: CreatePayments) => CreatePayments;
  readonly apply: (apply: ApplyPayment) => ApplyPayment;
};

type Named = { readonly projectId: Id; readonly method: string | null };
type Created = Awaited<ReturnType<CreatePayments["payin"]>>;

/** Cards take seconds, a payer's transfer minutes, and a payout that is paid by hand hours. */
const SECONDS_BUCKETS = [1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 14_400, 86_400];
/** A hosted page whose payer has not chosen yet, and a payment that no provider has. */
const NONE = "none";

export function openPaymentMetrics(
  metrics: Pick<Metrics, "counter" | "histogram">,
  bookOf: (projectId: Id) => Book | undefined,
): PaymentMetrics {
  const countCreated = metrics.counter("tillgate_payments_created_total", "Payments created", [
    "book",
    "direction",
    "method",
  ]);
  const countReached = metrics.counter("tillgate_payments_reached_total", "Payments that reached a state", [
    "book",
    "direction",
    "method",
    "provider",
    "state",
  ]);
  const observeSuccess = metrics.histogram(
    "tillgate_payment_success_seconds",
    "From the creation of a payment to its success",
    ["book", "direction", "method"],
    SECONDS_BUCKETS,
  );
  const bookName = (projectId: Id) => bookOf(projectId) ?? NONE;

  function counted<Payment extends Named>(direction: Direction, create: (payment: Payment) => Promise<Created>) {
    return async (payment: Payment): Promise<Created> => {
      const created = await create(payment);
      if (created.ok && !created.value.replayed)
        countCreated(bookName(payment.projectId), direction, payment.method ?? NONE);
      return created;
    };
  }

  function count({ projectId, direction, method, provider, reached, createdAt, finishedAt }: AppliedPayment): void {
    if (reached === undefined) return;
    const book = bookName(projectId);
    countReached(book, direction, method ?? NONE, provider ?? NONE, reached);
    if (reached === "success" && finishedAt !== null)
      observeSuccess((finishedAt.getTime() - createdAt.getTime()) / 1_000, book, direction, method ?? NONE);
  }

  return {
    creates: ({ payin, cardPayin, widgetPayin, payout }) => ({
      payin: counted("payin", payin),
      cardPayin: counted("payin", cardPayin),
      widgetPayin: counted("payin", widgetPayin),
      payout: counted("payout", payout),
    }),
    apply: (apply) => async (event) => {
      const applied = await apply(event);
      if (applied.ok) count(applied.value);
      return applied;
    },
  };
}
