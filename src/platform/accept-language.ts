/** Browsers name a handful; the rest of a longer header is not read. */
const PREFERENCES_MAX = 32;
const PREFERENCE = /^\s*([a-z]{2,3})(?:-[a-z0-9-]*)?\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i;

/** The language that a browser likes most of those that a page speaks (RFC 9110, 12.5.4); regions make no difference. */
export function preferredLanguage<Language extends string>(
  header: string | undefined,
  spoken: readonly Language[],
): Language | undefined {
  const wanted = (header ?? "").split(",", PREFERENCES_MAX).flatMap((text) => {
    const [, name = "", quality = "1"] = PREFERENCE.exec(text) ?? [];
    const language = spoken.find((each) => each === name.toLowerCase());
    return language === undefined || Number(quality) === 0 ? [] : [{ language, quality: Number(quality) }];
  });
  // A stable sort: of equals the first one stays in front.
  return wanted.toSorted((a, b) => b.quality - a.quality)[0]?.language;
}
