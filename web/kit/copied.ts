import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";

const TOLD_MS = 2_500;

/** Copies a text, and says for a moment that it did. */
export function useCopied(place: RefObject<HTMLElement | null>): {
  isCopied: boolean;
  /** False when there is no clipboard. */
  copy: (text: string) => Promise<boolean>;
} {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), TOLD_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      return true;
    } catch {
      // In a frame or without TLS there may be no clipboard: then the text is selected for the reader to copy.
      if (place.current !== null) getSelection()?.selectAllChildren(place.current);
      return false;
    }
  };
  return { isCopied, copy };
}
