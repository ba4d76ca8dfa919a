/** The page's one colour, and the text on it that can be read. */
const OURS = "#1a56db";
const CHANNELS = [1, 3, 5] as const;
/** Shares of red, green and blue in how bright a colour looks (WCAG 2.2, relative luminance). */
const WEIGHTS = [0.2126, 0.7152, 0.0722] as const;

/** Of black and white, the one with more contrast: it is at least 4.58 to 1 on any colour. */
export function textColourOn(accent: string): "#ffffff" | "#000000" {
  const luminance = luminanceOf(accent);
  return contrastOf(1, luminance) >= contrastOf(luminance, 0) ? "#ffffff" : "#000000";
}

export function contrastOf(lighter: number, darker: number): number {
  return (lighter + 0.05) / (darker + 0.05);
}

export function luminanceOf(colour: string): number {
  return CHANNELS.reduce((sum, at, index) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    const linear = share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    return sum + linear * (WEIGHTS[index] ?? 0);
  }, 0);
}

/** The database lets nothing but `#rrggbb` be an accent; this would not let anything else out either. */
export function accentStyle(accent: string | null): string {
  const colour = accent !== null && /^#[0-9a-f]{6}$/.test(accent) ? accent : OURS;
  return `:root{--accent:${colour};--on-accent:${textColourOn(colour)}}`;
}
