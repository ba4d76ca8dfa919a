import type { Html } from "../../platform/html.ts";

/** Written here and not in the document, so it may hold what text may not. */
export const CONTRACT_STYLE: Html = {
  html: `
:root {
  color-scheme: light dark;
  --ground: #fff; --raised: #f5f6f8; --line: #d9dde3; --text: #1c2530; --quiet: #55606e;
  --accent: #0b5cad; --method-ground: #0b5cad; --method-text: #fff;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12161c; --raised: #1b212a; --line: #323b47; --text: #e3e8ee; --quiet: #a0abb8;
    --accent: #7ab8ff; --method-ground: #24476b; --method-text: #e6f1ff;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--ground); color: var(--text);
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
header, .columns { max-width: 84rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: 2rem; }
header p { margin: 0 0 1.5rem; color: var(--quiet); }
h1, h2, h3, h4 { line-height: 1.25; text-wrap: balance; }
h1 { margin: 0 0 .25rem; font-size: 2rem; letter-spacing: -.02em; }
h2 { margin: 3.5rem 0 1rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: 1.5rem; letter-spacing: -.01em; }
h3 { margin: 2.25rem 0 .75rem; font-size: 1.15rem; overflow-wrap: anywhere; }
h4 { margin: 1.75rem 0 .5rem; font-size: .95rem; }
p, li { max-width: 70ch; }
li { margin: .25rem 0; }
a { color: var(--accent); text-underline-offset: .15em; }
a:focus-visible, pre:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.skip { position: absolute; left: -100vw; padding: .5rem 1rem; background: var(--ground); z-index: 1; }
.skip:focus { left: 1rem; top: .5rem; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; font-size: .875em; }
code { padding: .1em .3em; border-radius: 4px; background: var(--raised); overflow-wrap: anywhere; }
pre { margin: .5rem 0 1rem; padding: .875rem 1rem; overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; background: var(--raised); line-height: 1.5; }
pre code { padding: 0; background: none; font-size: 1em; overflow-wrap: normal; }
nav { padding: 1rem; border: 1px solid var(--line); border-radius: 8px; font-size: .9rem; }
nav ul { margin: 0; padding: 0; list-style: none; }
nav ul ul { margin-bottom: .5rem; padding-left: .75rem; }
nav .method { min-width: 3.6em; text-align: center; }
nav a { display: block; padding: .15rem 0; color: inherit; text-decoration: none; }
nav a:hover { color: var(--accent); text-decoration: underline; }
nav code { padding: 0; background: none; }
main > :first-child { margin-top: 1.5rem; }
.method {
  display: inline-block; padding: .1em .45em; border-radius: 4px; vertical-align: .08em;
  background: var(--method-ground); color: var(--method-text); font-size: .72em; font-weight: 700; letter-spacing: .04em;
}
h3 code { padding: 0; background: none; font-size: 1em; }
.operation h3 { font-size: 1.3rem; }
.summary { margin: 0 0 .75rem; color: var(--quiet); font-size: 1.05rem; }
.operation + .operation { margin-top: 3.5rem; }
table { width: 100%; margin: .75rem 0 1.25rem; border-collapse: collapse; font-size: .9rem; line-height: 1.5; }
th, td { padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: 400; }
thead th { color: var(--quiet); font-size: .8rem; font-weight: 600; white-space: nowrap; }
figure { margin: 1rem 0; }
figcaption, summary { color: var(--quiet); font-size: .9rem; }
summary { padding: .2rem 0; cursor: pointer; }
@media (min-width: 75rem) {
  .columns { display: grid; grid-template-columns: 17rem minmax(0, 1fr); gap: 3rem; align-items: start; }
  nav { position: sticky; top: 1rem; max-height: calc(100vh - 2rem); overflow-y: auto; }
  main > :first-child { margin-top: 0; }
}
@media (max-width: 56rem) {
  h1 { font-size: 1.6rem; }
  table, tbody, tr, tbody th, td { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { padding: .5rem 0; border-bottom: 1px solid var(--line); }
  tbody tr:first-child { border-top: 1px solid var(--line); }
  tbody th, td { padding: .1rem 0; border: 0; }
  td:empty { display: none; }
  td[data-label] { display: grid; grid-template-columns: 6rem minmax(0, 1fr); gap: .5rem; }
  td[data-label]::before { content: attr(data-label); color: var(--quiet); }
}
@media (min-width: 56.01rem) {
  tbody th { white-space: nowrap; }
  td:last-child { min-width: 16rem; }
}
@media print { nav, .skip { display: none; } pre { white-space: pre-wrap; } }
`,
};
