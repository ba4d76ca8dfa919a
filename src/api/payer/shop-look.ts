/** The demo shop's look, and its one script: what a merchant's own page would do. */
export const SHOP_STYLE = `
:root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5; }
body { margin: 0; background: Canvas; color: CanvasText; }
main { box-sizing: border-box; max-width: 32rem; margin: 0 auto; padding: 1.5rem; overflow-wrap: anywhere; }
form { display: grid; gap: .75rem; padding: 1.25rem; border: 1px solid GrayText; border-radius: 1rem; }
h1, h2 { margin: 0 0 .5rem; }
label { display: grid; gap: .25rem; }
select, button { min-height: 2.75rem; padding: .5rem; font: inherit; max-width: 100%; min-width: 0; }
`;

export const SHOP_SCRIPT = `
const order = document.getElementById("order");
const say = (text) => { document.getElementById("outcome").textContent = text; };
const returned = new URLSearchParams(location.search).get("payment_id");
if (returned !== null) say("Welcome back. Order " + returned + ": see its callbacks below.");
document.getElementById("modal").addEventListener("click", async () => {
  const answer = await fetch(order.action, { method: "POST", body: new URLSearchParams(new FormData(order)) });
  const { form_url } = await answer.json();
  Tillgate.open(form_url, {
    onSuccess: ({ payment_id }) => say("Paid: " + payment_id),
    onDecline: ({ payment_id }) => say("Not paid: " + payment_id),
    onClose: () => show(),
  });
});
async function show() {
  const callbacks = await (await fetch("shop/callbacks")).json();
  document.getElementById("callbacks").replaceChildren(...callbacks.map(({ orderId, status, heardAt }) => {
    const line = document.createElement("li");
    line.textContent = heardAt.slice(11, 19) + " " + orderId + ": " + status;
    return line;
  }));
}
setInterval(show, 1000);
show();
`;
