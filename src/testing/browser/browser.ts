import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterEach, beforeAll, inject } from "vitest";
import { tellWindows, type Watched } from "./tell-windows.ts";
import { openProfile, type Profile } from "./warm-profiles.ts";

/** A real browser, which the files of a worker share. */
export type TestBrowser = {
  /** There is none on this machine: `describe.skipIf(browser.isMissing)`. */
  readonly isMissing: boolean;
  /** A window of its own, with nothing left of any other; closed after the test. */
  readonly open: (window?: Window) => Promise<OpenWindow>;
};

type Window = { readonly width?: number; readonly height?: number; readonly javaScript?: boolean };

type OpenWindow = {
  readonly page: Page;
  /** What the browser complained of: errors of scripts, whatever a policy refused to load, answers of 400 and more. */
  readonly troubles: readonly string[];
};

const WIDTH = 1280;
const HEIGHT = 800;
const REQUESTS_KEPT = 20;
/** A machine with two busy cores is slow, and nothing here is meant to be slow. */
const STEP_TIMEOUT_MS = 60_000;

/**
 * Where people and distributions put it; last what playwright itself may have downloaded. The headless shell is the same
 * engine without the browser around it: its main process takes a third of the processor time.
 */
const PLACES = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

const ADVICE =
  "No browser was found, so the tests of pages were SKIPPED. Install one: apt-get install chromium, " +
  "or Google Chrome, or npx playwright-core install chromium.";

/**
 * A browser for the tests of a file. Where there is none they are skipped and the run says so; in continuous
 * integration that is a failure.
 */
export function useTestBrowser(): TestBrowser {
  const executablePath = [inject("browser"), ...PLACES, chromium.executablePath()].find((place) => existsSync(place));
  if (executablePath === undefined) {
    reportMissing(inject("isContinuousIntegration"), (text) => process.stderr.write(text));
    return { isMissing: true, open: () => Promise.reject(new Error(ADVICE)) };
  }
  const used: Profile[] = [];
  const windows: Watched[] = [];
  beforeAll(() => openShared(executablePath));
  afterEach(async ({ task }) => {
    const watched = windows.splice(0);
    if (task.result?.state === "fail") process.stderr.write(await tellWindows(task.name, watched));
    for (const profile of used.splice(0)) {
      if (await profile.clean()) free.push(profile);
    }
  });
  return {
    isMissing: false,
    open: async ({ width = WIDTH, height = HEIGHT, javaScript = true } = {}) => {
      const browser = await openShared(executablePath);
      const profile = takeFrom(free, javaScript) ?? (await openProfile(browser, javaScript));
      used.push(profile);
      profile.context.setDefaultTimeout(STEP_TIMEOUT_MS);
      const page = await profile.context.newPage();
      await page.setViewportSize({ width, height });
      const watched = { page, troubles: watch(page), requests: watchRequests(page) };
      windows.push(watched);
      return watched;
    },
  };
}

/** The files that a worker runs share its modules, and so this browser. It ends with the worker. */
let shared: Promise<Browser> | undefined;
const free: Profile[] = [];

async function openShared(executablePath: string): Promise<Browser> {
  if (shared !== undefined && !(await shared).isConnected()) {
    shared = undefined;
    free.splice(0);
  }
  shared ??= chromium.launch({ executablePath, args: argumentsOf(process.getuid?.()) });
  return shared;
}

function takeFrom(free: Profile[], javaScript: boolean): Profile | undefined {
  const place = free.findIndex((profile) => profile.javaScript === javaScript);
  return place === -1 ? undefined : free.splice(place, 1)[0];
}

/** Skipping is said aloud; where nothing may be skipped, it is a failure. */
export function reportMissing(mayNotSkip: boolean, write: (text: string) => void): void {
  if (mayNotSkip) throw new Error(ADVICE);
  write(`\n${ADVICE}\n\n`);
}

/**
 * It may speak to this machine only; as root, as in containers, it cannot shut itself in. With one process for all windows
 * (--renderer-process-limit=1) tests took a quarter less processor time, but once in some hundred pages a script did not run.
 */
function argumentsOf(uid: number | undefined): string[] {
  const loopbackOnly = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost";
  return ["--disable-dev-shm-usage", loopbackOnly, ...(uid === 0 ? ["--no-sandbox"] : [])];
}

function watch(page: Page): string[] {
  const troubles: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") troubles.push(message.text());
  });
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("response", (response) => {
    if (response.status() >= 400) troubles.push(`${response.status()} ${new URL(response.url()).pathname}`);
  });
  return troubles;
}

/** The last of what it asked for, and how that ended: for `tellWindows`. */
function watchRequests(page: Page): string[] {
  const requests: string[] = [];
  const note = (line: string) => {
    requests.push(line);
    if (requests.length > REQUESTS_KEPT) requests.shift();
  };
  page.on("response", (response) => note(`${response.status()} ${new URL(response.url()).pathname}`));
  page.on("requestfailed", (request) => note(`${request.failure()?.errorText} ${new URL(request.url()).pathname}`));
  return requests;
}

/** Whether something is wider than the window, so that a reader would have to move it sideways. */
export function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate<boolean>("document.documentElement.scrollWidth > document.documentElement.clientWidth");
}
