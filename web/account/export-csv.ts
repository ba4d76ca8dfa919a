import { apiUrl } from "./server.ts";

/** How an export stands. */
export type Export =
  | { readonly kind: "none" }
  | { readonly kind: "running"; readonly bytes: number }
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly code: string };

/** Reads the file while it is streamed, tells how much there is, and hands it to the reader when it is whole. */
export async function exportCsv(path: string, fileName: string, onStep: (step: Export) => void): Promise<void> {
  onStep({ kind: "running", bytes: 0 });
  try {
    const response = await fetch(apiUrl(path), { cache: "no-store", credentials: "same-origin" });
    if (!response.ok || response.body === null) {
      const json = await response.json().catch(() => ({}));
      return onStep({ kind: "failed", code: String(json.error?.code ?? json.code) });
    }
    const reader = response.body.getReader();
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    let bytes = 0;
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      pieces.push(piece.value);
      bytes += piece.value.length;
      onStep({ kind: "running", bytes });
    }
    save(new Blob(pieces, { type: "text/csv" }), fileName);
    onStep({ kind: "done" });
  } catch {
    // It was cut off: a file that is not whole is not handed out.
    onStep({ kind: "failed", code: "cut_off" });
  }
}

/** Hands a file to the reader. */
export function save(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
