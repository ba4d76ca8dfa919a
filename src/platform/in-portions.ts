import type { DestinationStream } from "pino";

const PORTION_CHARACTERS = 8_192;
const PORTION_EVERY_MS = 200;

/**
 * Gathers lines and writes a few kilobytes at a time, at least five times a second: a write for each line was a twentieth
 * of the service's time.
 */
export function inPortions(write: (text: string) => void): DestinationStream & { readonly flush: () => void } {
  let lines: string[] = [];
  let characters = 0;

  function flush(): void {
    if (lines.length === 0) return;
    const text = lines.join("");
    lines = [];
    characters = 0;
    write(text);
  }

  setInterval(flush, PORTION_EVERY_MS).unref();
  return {
    flush,
    write: (line) => {
      lines.push(line);
      characters += line.length;
      if (characters >= PORTION_CHARACTERS) flush();
    },
  };
}
