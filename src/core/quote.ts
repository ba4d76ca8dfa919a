const SHOWN_CHARACTERS_MAX = 40;
/** JSON writes the others as escapes, but not these; a terminal obeys both. */
const LATE_CONTROLS = /[\u007f-\u009f]/g;

/** A word of a file or of an operator inside a sentence: its beginning, in quotes, and nothing that moves a cursor. */
export function quote(text: string): string {
  const shown = text.length > SHOWN_CHARACTERS_MAX ? `${text.slice(0, SHOWN_CHARACTERS_MAX)}…` : text;
  return JSON.stringify(shown).replaceAll(
    LATE_CONTROLS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
