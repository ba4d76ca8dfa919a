import { useLayoutEffect, useRef } from "preact/hooks";
import { HEADING_ID } from "./heading.tsx";

/** Not at first: a payer who opens the page begins at its top. */
export function useHeadingFocus(screen: string): void {
  const before = useRef(screen);
  // Together with the new screen, so that the next key is pressed on it.
  useLayoutEffect(() => {
    if (before.current === screen) return;
    before.current = screen;
    // The new step is read from the top, where the sum is.
    scrollTo(0, 0);
    document.getElementById(HEADING_ID)?.focus({ preventScroll: true });
  }, [screen]);
}
