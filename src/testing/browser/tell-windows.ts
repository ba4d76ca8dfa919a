import type { Page } from "playwright-core";

export type Watched = {
  readonly page: Page;
  readonly troubles: readonly string[];
  readonly requests: readonly string[];
};

/** So long a page that hangs is waited for. */
const LOOK_MS = 2_000;
const SHOWN =
  "innerWidth + ' x ' + innerHeight + ', ' + document.readyState + ': ' + " +
  "(document.body?.innerText ?? '').replace(/\\s+/g, ' ').trim().slice(0, 200)";

/**
 * What the windows of a failed test show, and what their browser complained of. A step that waits for something in vain says
 * nothing of why it is not there: a script that was not loaded, another size, an answer of another kind.
 */
export async function tellWindows(test: string, windows: readonly Watched[]): Promise<string> {
  const told = await Promise.all(windows.map(tell));
  return [`\nThe windows of "${test}", which failed:`, ...told, ""].join("\n");
}

async function tell({ page, troubles, requests }: Watched): Promise<string> {
  if (page.isClosed()) return "a window that was closed";
  const shown = page.evaluate<string>(SHOWN).catch((error: Error) => error.message);
  const late = new Promise<string>((resolve) => setTimeout(resolve, LOOK_MS, "the page does not answer"));
  const lines = [...troubles, ...requests].map((line) => `  ${line}`);
  return [`${new URL(page.url()).pathname}, ${await Promise.race([shown, late])}`, ...lines].join("\n");
}
