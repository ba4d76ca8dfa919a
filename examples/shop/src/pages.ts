import type { Order, OrderState } from "./order.ts";
import type { Bank } from "./sdk.ts";

/** The last two digits decide what the sandbox's payer does, so each item shows another story. */
export const ITEMS = [
  { name: "A very good teapot", price: 250_000, note: "The payer transfers what was asked for." },
  { name: "A teapot and change", price: 250_003, note: "The payer transfers 1.00 too much." },
  { name: "A teapot for window-shoppers", price: 250_002, note: "The payer never transfers anything." },
] as const;

const STATES: Readonly<Record<OrderState, string>> = {
  placed: "waiting for the payment",
  held: "another amount arrived, and an operator decides",
  paid: "paid, on its way to you",
  underpaid: "not paid in full, the money goes back",
  cancelled: "not paid",
};

export function shopPage(orders: readonly Order[]): string {
  const items = ITEMS.map(
    ({ name, price, note }, index) => `<li><form method="post" action="/buy"><h2>${name}</h2>
<p>${money(price)}. ${note}</p><button name="item" value="${index}">Buy</button></form></li>`,
  );
  const rows = orders.map(
    (order) => `<tr><td><a href="/orders/${order.id}">${order.id.slice(6, 14)}</a></td><td>${escaped(order.item)}</td>
<td class="sum">${money(order.price)}</td><td>${STATES[order.state]}</td></tr>`,
  );
  const table = `<table><thead><tr><th>Order</th><th>Item</th><th class="sum">Price</th><th>State</th></tr></thead>
<tbody>${rows.reverse().join("")}</tbody></table>`;
  return page("Teapots", `<ul>${items.join("")}</ul>${rows.length > 0 ? `<h2>Orders</h2>${table}` : ""}`);
}

/** Payers return here. Their return proves nothing: the page shows what the signed callbacks said. */
export function orderPage(order: Order, banks: readonly Bank[]): string {
  const pay =
    order.state === "placed" && order.formUrl !== undefined
      ? `<p><a class="button" href="${escaped(order.formUrl)}">Pay ${money(order.price)}</a></p>`
      : "";
  const facts = `<dl><dt>Item</dt><dd>${escaped(order.item)}</dd><dt>Price</dt><dd>${money(order.price)}</dd>
${order.paidAmount === undefined ? "" : `<dt>Paid</dt><dd>${money(order.paidAmount)}</dd>`}
<dt>State</dt><dd>${STATES[order.state]}</dd></dl>`;
  const back = '<p><a href="/">Back to the shop</a></p>';
  return page(`Order ${order.id.slice(6, 14)}`, `${facts}${pay}${refundPart(order, banks)}${back}`);
}

function refundPart({ id, refund }: Order, banks: readonly Bank[]): string {
  if (refund === undefined) return "";
  const sum = money(refund.amount);
  if (refund.state === "paid") return `<p role="status">We have sent you ${sum} back.</p>`;
  if (refund.state === "sent") return `<p role="status">We are sending you ${sum} back.</p>`;
  const problem =
    refund.problem === undefined ? "" : `<p role="alert">That did not work. ${escaped(refund.problem)}</p>`;
  const options = banks.map(({ symbol, name }) => `<option value="${escaped(symbol)}">${escaped(name)}</option>`);
  return `<h2>We owe you ${sum}</h2>${problem}<form method="post" action="/orders/${id}/refund">
<label>Your phone <input name="phone" type="tel" required pattern="\\+7[0-9]{10}" placeholder="+79001234567"></label>
<label>Your bank <select name="bank" required><option value="">Choose…</option>${options.join("")}</select></label>
<button>Send it to me</button></form>`;
}

/** Whole numbers from end to end: the point is only drawn here. */
function money(minor: number): string {
  const digits = String(minor).padStart(3, "0");
  const roubles = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ",");
  return `${roubles}.${digits.slice(-2)} ₽`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const STYLE = `:root { color-scheme: light dark; --line: #8886; }
* { box-sizing: border-box; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.1rem; margin: 0 0 .25rem; }
ul { list-style: none; padding: 0; display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); }
li, dl { border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; margin: 0; }
li form { display: flex; flex-direction: column; height: 100%; } li p { flex: 1; margin: 0 0 1rem; }
button, .button { font: inherit; font-weight: 600; color: #fff; background: #05704a; border: 0; border-radius: .4rem;
  padding: .6rem 1rem; text-decoration: none; cursor: pointer; display: inline-block; }
label { display: block; margin: .75rem 0; } input, select { display: block; width: 100%; font: inherit; padding: .5rem; }
table { border-collapse: collapse; width: 100%; display: block; overflow-x: auto; }
th, td { text-align: left; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); }
.sum { text-align: right; white-space: nowrap; } dt { font-size: .85rem; opacity: .75; } dd { margin: 0 0 .5rem; }
ul + h2, dl + h2 { margin-top: 2rem; }`;

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${STYLE}</style></head><body><main><h1>${title}</h1>${body}</main></body></html>`;
}
