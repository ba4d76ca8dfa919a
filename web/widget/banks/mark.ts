const COLOURS = [
  ...["#2f6f4f", "#1f5fae", "#8a3b12", "#6d2f8f", "#a3264b", "#0f6d7a", "#53621c", "#4a4fb3", "#7a4a1f", "#2b5a73"],
];

/** A colour for a bank that was given none: always the same, because it follows from the symbol. */
export function colourOf(symbol: string): string {
  const sum = Array.from(symbol).reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 9973, 7);
  return COLOURS[sum % COLOURS.length] ?? "#1f5fae";
}

/** The word of which every bank's name has one. */
const BANK = /^(?:bank|banki|bankı|banco|банк|банкі|банки|бонк|бонки|of|de)$/i;
const SHORT_NAME_MAX = 3;

/** The letters in a bank's mark: a short name as it is, else the first letters of two words, or of one. */
export function initialsOf(name: string): string {
  const words = name.split(/[^\p{Letter}\p{Number}]+/u).filter((word) => word !== "");
  const telling = words.filter((word) => !BANK.test(word));
  const [first = "", second] = telling.length > 0 ? telling : words;
  if (second !== undefined) return (first.charAt(0) + second.charAt(0)).toUpperCase();
  if (Array.from(first).length <= SHORT_NAME_MAX) return first.toUpperCase();
  return first.charAt(0).toUpperCase() + (/^\p{Lu}/u.test(first.charAt(1)) ? first.charAt(1) : "");
}
