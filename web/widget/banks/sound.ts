/** Letters of the Cyrillic alphabets, as Latin ones that sound like them. Marks above letters are gone before this is read. */
const LATIN: Readonly<Record<string, string>> = {
  ...{ а: "a", б: "b", в: "v", г: "g", д: "d", е: "e", ж: "j", з: "z", и: "i", к: "k", л: "l", м: "m", н: "n", о: "o" },
  ...{ п: "p", р: "r", с: "s", т: "t", у: "u", ф: "f", х: "h", ц: "ts", ч: "ch", ш: "sh", щ: "sh", ъ: "", ы: "i" },
  ...{ ь: "", э: "e", ю: "iu", я: "ia", ә: "a", ғ: "g", қ: "k", ң: "n", ө: "o", ұ: "u", ү: "u", һ: "h", і: "i" },
  // Uzbek, Tajik and Azerbaijani.
  ...{ ҳ: "h", ҷ: "j", ə: "e", ı: "i", ø: "o" },
};

/** Spellings of one sound, in the order in which they are read: `ch` must be known before `c` is. */
const SPELLINGS: readonly (readonly [spelling: RegExp, sound: string])[] = [
  [/s(?:h?ch)/g, "sh"],
  [/ch/g, "4"],
  [/kh/g, "h"],
  [/d?zh|dj/g, "j"],
  [/ph/g, "f"],
  [/t[sz]/g, "s"],
  [/ck|q/g, "k"],
  [/c(?=[eiy])/g, "s"],
  [/c/g, "k"],
  [/w/g, "v"],
  [/x/g, "ks"],
  [/y/g, "i"],
  [/(.)\1+/g, "$1"],
];

/**
 * How a text sounds, as words of Latin letters: «Тинькофф», «тинькоф» and “Tinkoff” are one. People type a bank's name in the
 * alphabet of their keyboard, with or without its marks, dashes and doubled letters.
 */
export function soundOf(text: string): readonly string[] {
  const plain = text
    .toLowerCase()
    // Uzbek writes it oʻ in Latin, and it would lose its mark to become an у.
    .replaceAll("ў", "o")
    .normalize("NFKD")
    .replace(/[\p{Mark}'’ʻʼ‘`´"]/gu, "");
  const latin = Array.from(plain, (letter) => LATIN[letter] ?? letter).join("");
  return latin
    .split(/[^a-z0-9]+/)
    .map((word) => SPELLINGS.reduce((read, [spelling, sound]) => read.replace(spelling, sound), word))
    .filter((word) => word !== "");
}

const KEYS = "`qwertyuiop[]asdfghjkl;'zxcvbnm,.";
const RUSSIAN_KEYS = "ёйцукенгшщзхъфывапролджэячсмитьбю";

const OTHER_LAYOUT = new Map(
  Array.from(KEYS).flatMap((key, at) => {
    const letter = RUSSIAN_KEYS[at] ?? "";
    return [[key, letter] as const, [letter, key] as const];
  }),
);

/** What the same keys write with the keyboard in its other layout: `c,th` is «сбер». */
export function inOtherLayout(text: string): string {
  return Array.from(text.toLowerCase(), (letter) => OTHER_LAYOUT.get(letter) ?? letter).join("");
}
