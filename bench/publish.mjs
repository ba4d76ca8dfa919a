// node bench/publish.mjs bench/results/<commit>.md: copies the tables of a run into docs/performance.md.
import { readFileSync, writeFileSync } from "node:fs";

const PAGE = new URL("../docs/performance.md", import.meta.url);
const PLACE = /(<!-- figures -->\n)[\s\S]*?(<!-- end of figures -->)/;

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error("Name the file: node bench/publish.mjs bench/results/<commit>.md");
  process.exit(2);
}
const figures = readFileSync(file, "utf8");
const page = readFileSync(PAGE, "utf8");
if (!PLACE.test(page)) throw new Error("docs/performance.md has no place for figures");
// By a function: a dollar sign in the figures is not a reference.
writeFileSync(
  PAGE,
  page.replace(PLACE, (_, before, after) => `${before}${figures}${after}`),
);
