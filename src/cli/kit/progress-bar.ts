import type { CliContext } from "./command.ts";

const CELLS = 24;
const EVERY_MS = 200;

/** `[######------------------]  25 %  25000 lines`, on a terminal only, and gone when the work is done. */
export function openProgressBar(context: CliContext) {
  let shownMs = 0;
  return {
    show: (share: number, words: string, nowMs: number) => {
      if (nowMs - shownMs < EVERY_MS) return;
      shownMs = nowMs;
      const full = Math.min(CELLS, Math.floor(share * CELLS));
      const bar = `${"#".repeat(full)}${"-".repeat(CELLS - full)}`;
      context.showProgress(`[${bar}] ${String(Math.floor(share * 100)).padStart(3)} %  ${words}`);
    },
    clear: () => context.showProgress(undefined),
  };
}
