/** The forms of a noun beside a number. Turkic languages and Tajik have one form, so only the other languages ask. */
type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

export function pluralOf(language: "en" | "ru" | "es", count: number, forms: Forms): string {
  return forms[new Intl.PluralRules(language).select(count)] ?? forms.other;
}
