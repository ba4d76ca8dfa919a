/**
 * The payment page follows the payer's own theme by media queries. Here the reader of the settings chooses, so those rules of the style
 * sheet are switched on or off.
 */
const DARK = "(prefers-color-scheme: dark)";

export function showTheme(theme: "light" | "dark"): void {
  document.documentElement.style.colorScheme = theme;
  darkRules ??= [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).filter(isDarkRule);
  for (const rule of darkRules) rule.media.mediaText = theme === "dark" ? "all" : "not all";
}

/** Found once: after the first change they no longer name the theme. */
let darkRules: readonly CSSMediaRule[] | undefined;

function isDarkRule(rule: CSSRule): rule is CSSMediaRule {
  return rule instanceof CSSMediaRule && rule.conditionText.includes(DARK);
}
