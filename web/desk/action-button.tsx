import type { Acts } from "./use-acts.ts";

/** One thing that can happen to a payment. Those who hear the page are told which payment. */
export function ActionButton(props: { readonly name: string; readonly acts: Acts; readonly onClick: () => void }) {
  const { name, acts } = props;
  return (
    <button
      type="button"
      class="quiet"
      aria-label={`${name}: ${acts.payment.payment_id}`}
      aria-disabled={acts.isBusy}
      onClick={props.onClick}
    >
      {name}
    </button>
  );
}
