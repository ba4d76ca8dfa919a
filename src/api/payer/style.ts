/** The look of the few pages between the merchant and the issuer: readable at 320 px, light and dark. */
export const PAYER_STYLE = `
:root { color-scheme: light dark; --back: #eef1f6; --panel: #fff; --ink: #14213d; --soft: #55607a; --line: #d9deea;
  --brand: #1a56db; --good: #17713a; --bad: #a4161a; font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
@media (prefers-color-scheme: dark) {
  :root { --back: #10141c; --panel: #1a202c; --ink: #eef1f6; --soft: #a9b4c9; --line: #2e3748; --brand: #2b63e0; --good: #5fd08a; --bad: #ff8f8f; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: .75rem; display: grid; min-height: 100vh; place-items: center; background: var(--back); color: var(--ink); }
main { width: 100%; max-width: 26rem; padding: 1.5rem; background: var(--panel); border: 1px solid var(--line); border-radius: .9rem; }
h1 { font-size: 1.3rem; line-height: 1.25; margin: 0 0 .5rem; overflow-wrap: anywhere; }
p { margin: 0; color: var(--soft); }
p + p { margin-top: .5rem; }
.sum { margin: 0 0 .5rem; color: var(--ink); font-size: 1.6rem; font-weight: 700; line-height: 1.25; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.mark { display: grid; place-items: center; width: 3rem; height: 3rem; margin: 0 0 1rem; border: 2px solid; border-radius: 50%; font-size: 1.4rem; font-weight: 700; color: var(--soft); }
.mark.good { color: var(--good); }
.mark.bad { color: var(--bad); }
button, a.button { display: block; width: 100%; margin-top: 1.25rem; padding: .75rem 1rem; border: 0; border-radius: .6rem; background: var(--brand);
  color: #fff; font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer; }
button:hover, a.button:hover { filter: brightness(1.08); }
button:focus-visible, a.button:focus-visible { outline: 3px solid var(--brand); outline-offset: 3px; }
iframe { position: absolute; width: 1px; height: 1px; border: 0; opacity: 0; }
`;
