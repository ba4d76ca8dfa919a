// How soon does a payer on a slow phone see the payment page, and how much is sent to show it?
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import { inRounds } from "../ask.mjs";
import { median } from "../kit/median.mjs";
import { startService } from "../kit/service.mjs";

const ROUNDS = 5;
/** The languages with the shortest and the longest words. */
const LANGUAGES = ["en", "tg"];
/** A phone at the edge of a network. */
const SLOW = { offline: false, latency: 400, downloadThroughput: 400_000 / 8, uploadThroughput: 400_000 / 8 };
const PLACES = ["/usr/bin/chromium", "/usr/bin/google-chrome", chromium.executablePath()];
const COLUMNS = [
  ["first paint ms", "paintMs", 0],
  ["ready ms", "readyMs", 0],
  ["kB sent", "kilobytes", 1],
  ["requests", "requests", 0],
];

/** When the script has drawn the page, which the payer can then use. */
const WATCH = `new MutationObserver((_changes, observer) => {
  if (document.querySelector("select.language") === null) return;
  window.readyMs = performance.now();
  observer.disconnect();
}).observe(document, { childList: true, subtree: true });`;

export async function benchPage() {
  const executablePath = PLACES.find((place) => existsSync(place));
  if (executablePath === undefined) throw new Error("there is no Chromium");
  const service = await startService();
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
  try {
    const measured = await inRounds(ROUNDS, async () => {
      const figures = {};
      for (const language of LANGUAGES) figures[language] = await open(browser, await buy(service, language));
      return figures;
    });
    return report(measured);
  } finally {
    await browser.close();
    await service.stop();
  }
}

async function buy({ sandbox }, language) {
  const form = new URLSearchParams({ language, currency: "RUB", how: "modal" });
  const answer = await fetch(`${sandbox.base_url}/sandbox/shop/buy`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: form.toString(),
  });
  return (await answer.json()).form_url;
}

/** In a new profile, so that nothing is cached. */
async function open(browser, url) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  let bytes = 0;
  let requests = 0;
  cdp.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    requests += 1;
  });
  await cdp.send("Network.enable");
  await cdp.send("Network.emulateNetworkConditions", SLOW);
  await page.addInitScript(WATCH);
  await page.goto(url);
  await page.waitForFunction("window.readyMs !== undefined");
  const paintMs = await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime");
  const readyMs = await page.evaluate("window.readyMs");
  await context.close();
  return { paintMs, readyMs, kilobytes: bytes / 1_000, requests };
}

function report({ rounds, failure }) {
  const row = (language) => {
    const middle = (name) => median(rounds.map((round) => round[language][name]));
    return { name: language, ...Object.fromEntries(COLUMNS.map(([, name]) => [name, middle(name)])) };
  };
  return {
    question: `the payment page in Chromium at 400 kbit/s and a round trip of 400 ms; medians of ${rounds.length} rounds`,
    columns: COLUMNS,
    rows: LANGUAGES.map(row),
    notes: [
      "First paint: the amount and what to do can be read. Ready: the script has drawn the page, and it can be used.",
    ],
    rounds,
    failure,
  };
}
