/** The demo shop's look, and its one script: what a merchant's own page would do. */
export const SHOP_STYLE = `
:root { color-scheme: light dark; --ground: #f6f4ef; --paper: #fff; --text: #1f1d1a; --soft: #5d5850; --line: #dcd6ca; --edge: #857e72;
  --accent: #0b6b58; --on-accent: #fff; font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #151412; --paper: #1f1d1a; --text: #f3f0ea; --soft: #b3aca0; --line: #3a362f; --edge: #8a8377; --accent: #5fd0b5; --on-accent: #06211b; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); }
main { max-width: 34rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; overflow-wrap: anywhere; }
h1, h2 { margin: 0; line-height: 1.25; }
h1 { font-size: 1.5rem; }
h2 { font-size: 1.25rem; }
p { margin: .25rem 0 1rem; color: var(--soft); }
form { display: grid; gap: .875rem; margin: 1.25rem 0; padding: 1.25rem; background: var(--paper); border: 1px solid var(--line); border-radius: 1rem; }
label { display: grid; gap: .25rem; font-size: .9375rem; font-weight: 600; }
select, button { width: 100%; min-width: 0; min-height: 3rem; padding: .5rem .75rem; border: 1px solid var(--edge); border-radius: .75rem;
  background: var(--paper); color: var(--text); font: inherit; font-size: 1rem; font-weight: 400; }
button { font-weight: 600; cursor: pointer; }
button.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
:focus-visible { outline: 2px solid var(--text); outline-offset: 2px; }
#outcome { min-height: 1.5rem; color: var(--text); font-weight: 600; }
#callbacks { margin: .5rem 0 0; padding: 0; list-style: none; font-variant-numeric: tabular-nums; }
#callbacks li { padding: .5rem 0; border-top: 1px solid var(--line); }
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
  document.getElementById("none").hidden = callbacks.length > 0;
  document.getElementById("callbacks").replaceChildren(...callbacks.map(({ orderId, status, heardAt }) => {
    const line = document.createElement("li");
    line.textContent = heardAt.slice(11, 19) + " " + orderId + ": " + status;
    return line;
  }));
}
setInterval(show, 1000);
show();
`;
