/** What the issuer's bank judges a browser by. What this one does not know, or says in no usable way, is left out. */
export type BrowserFacts = {
  readonly language: string | undefined;
  readonly color_depth: number | undefined;
  readonly screen_width: number | undefined;
  readonly screen_height: number | undefined;
  readonly timezone_offset: number | undefined;
  readonly java_enabled: boolean;
};

const LANGUAGE = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,2}$/;

export function readBrowserFacts(): BrowserFacts {
  const { language } = navigator;
  return {
    language: LANGUAGE.test(language) ? language : undefined,
    color_depth: wholeNumber(screen.colorDepth),
    screen_width: wholeNumber(screen.width),
    screen_height: wholeNumber(screen.height),
    timezone_offset: wholeNumber(new Date().getTimezoneOffset()),
    // Browsers of today have none, and some do not know the question any more.
    java_enabled: navigator.javaEnabled?.() ?? false,
  };
}

function wholeNumber(value: number): number | undefined {
  return Number.isFinite(value) ? Math.round(value) : undefined;
}
