/** A project's colour, and the text on it that can be read. The server says the same in src/api/payer/accent.ts. */
export const OUR_ACCENT = "#1a56db";

export function isAccent(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}

/** Of black and white, the one with more contrast (WCAG 2.2): it is at least 4.58 to 1 on any colour. */
export function textColourOn(accent: string): "#ffffff" | "#000000" {
  const luminance = luminanceOf(accent);
  return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 ? "#ffffff" : "#000000";
}

const CHANNELS = [1, 3, 5] as const;
const WEIGHTS = [0.2126, 0.7152, 0.0722] as const;

function luminanceOf(colour: string): number {
  return CHANNELS.reduce((sum, at, index) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    const linear = share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    return sum + linear * (WEIGHTS[index] ?? 0);
  }, 0);
}
