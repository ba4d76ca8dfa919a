// Writes down which scripts browsers run for us, and what they are: `node web/inventory.mjs`, after a build. The list is
// checked in and a test compares it, so that no script changes or comes unnoticed.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { LANGUAGES } from "./split-words.mjs";

const BUILT = new URL("../dist/web/", import.meta.url);
const LIST = new URL("scripts.json", import.meta.url);

const PURPOSES = {
  page: {
    source: "web/widget/main.tsx",
    purpose: "draws the payment page, takes the card and sends it to our own server",
  },
  account: { source: "web/account/main.tsx", purpose: "draws the pages of the merchant's personal account" },
  preview: { source: "web/preview/main.tsx", purpose: "draws the payment page's looks inside the account's settings" },
  docs: {
    source: "web/docs/main.tsx",
    purpose: "searches the documentation at /docs, and signs and sends calls from it",
  },
  sandbox: {
    source: "web/account/screens/sandbox/sandbox.tsx",
    purpose: "draws the tester's desk inside the account, for test projects",
  },
  desk: { source: "web/desk/main.tsx", purpose: "draws the tester's desk of development mode" },
  widget: { source: "web/embed/embed.ts", purpose: "shows the payment page in a frame over a merchant's page" },
  ...Object.fromEntries(
    LANGUAGES.map((language) => [
      language,
      { source: `web/widget/words/${language}.ts`, purpose: `what the payment page says in one language, ${language}` },
    ]),
  ),
};

export function listScripts() {
  const namesIn = (folder) => readdirSync(new URL(folder, BUILT)).map((name) => `${folder}${name}`);
  const names = [
    ...namesIn("account/assets/"),
    ...namesIn("account/preview/assets/"),
    ...namesIn("assets/"),
    ...namesIn("docs/assets/"),
    ...namesIn("sandbox/desk/assets/"),
    "widget.js",
  ];
  return names
    .filter((name) => name.endsWith(".js"))
    .map((file) => ({
      file,
      ...PURPOSES[/(\w+?)(?:-[\w-]{8})?\.js$/.exec(file)?.[1] ?? ""],
      sha256: createHash("sha256")
        .update(readFileSync(new URL(file, BUILT)))
        .digest("hex"),
    }));
}

if (process.argv[1]?.endsWith("inventory.mjs")) {
  writeFileSync(LIST, `${JSON.stringify(listScripts(), null, 2)}\n`);
}
