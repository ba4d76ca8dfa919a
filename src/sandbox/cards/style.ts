/** The look of the issuer's and the provider's pages. Nothing is loaded from anywhere. */
export const STYLE = `
:root { color-scheme: light; --ink: #14213d; --soft: #55607a; --line: #d9deea; --brand: #1f4fd8; --bad: #a4161a; }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; padding: .5rem; display: flex; justify-content: center; align-items: flex-start;
  background: #eef1f8; color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { width: 100%; max-width: 27rem; background: #fff; border: 1px solid var(--line); border-radius: .9rem;
  padding: 1rem; box-shadow: 0 .5rem 1.5rem rgba(20, 33, 61, .08); }
header { display: flex; justify-content: space-between; align-items: center; gap: .75rem; padding-bottom: .9rem;
  border-bottom: 1px solid var(--line); }
header strong { white-space: nowrap; display: flex; align-items: center; gap: .55rem; }
header strong::before { content: ""; flex: none; width: 1.5rem; height: 1.5rem; border-radius: .45rem;
  background: linear-gradient(135deg, #6f93ff, var(--brand)); }
header span { font-size: .8rem; color: var(--soft); white-space: nowrap; }
h1 { font-size: 1.3rem; line-height: 1.25; margin: 1.1rem 0 .4rem; }
p { margin: .4rem 0; }
dl { margin: 1rem 0; padding: .25rem .75rem; font-size: .95rem; border-radius: .6rem; background: #f5f7fc; }
dl div { display: flex; justify-content: space-between; gap: .75rem; padding: .45rem 0; }
dl div + div { border-top: 1px solid var(--line); }
dt { color: var(--soft); flex: none; }
dd { margin: 0; text-align: right; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
dd.sum { font-weight: 700; }
dd.card { white-space: nowrap; }
form + form { margin-top: 1.25rem; padding-top: 1.1rem; border-top: 1px solid var(--line); }
label { display: block; font-weight: 600; margin-bottom: .35rem; }
input[type=text] { width: 100%; font: inherit; font-size: 1.35rem; letter-spacing: .25em; text-align: center;
  padding: .6rem .5rem; border: 1px solid #8b95ad; border-radius: .6rem; color: inherit; background: #fff; }
input[aria-invalid=true] { border-color: var(--bad); }
button { display: block; width: 100%; font: inherit; font-weight: 600; padding: .75rem 1rem; margin-top: .75rem;
  border-radius: .6rem; border: 1px solid var(--brand); background: var(--brand); color: #fff; cursor: pointer; }
button:hover { filter: brightness(1.08); }
button.quiet { background: #fff; color: var(--ink); border-color: #8b95ad; }
input:focus-visible, button:focus-visible, a:focus-visible { outline: 3px solid #9db6ff; outline-offset: 2px; }
.bad { color: var(--bad); font-weight: 600; margin: 0 0 .7rem; }
.note { font-size: .85rem; color: var(--soft); margin: 1.1rem 0 0; padding-top: .9rem; border-top: 1px solid var(--line); }
a { color: var(--brand); }
@media (max-width: 22rem) { header span { display: none; } }
@media (min-width: 40rem) { body { padding: 12vh 1rem 1rem; } main { padding: 1.75rem; } dl { font-size: 1rem; } }
`;
