/**
 * Passwords that are guessed first. Most of the well-known ones are shorter than a password may be here; what remains are the same
 * words made longer. So this is not a list of passwords: it is the words and the patterns that they are made of.
 */
const WORDS: ReadonlySet<string> = new Set(
  `password passwort parol parola motdepasse contrasena senha pass passwd passw qwerty qwertyuiop qwertz azerty asdf asdfgh asdfghjkl
   zxcv zxcvbn zxcvbnm qazwsx qazwsxedc letmein welcome admin administrator root user username login master monkey dragon football
   baseball basketball hockey soccer iloveyou love loveyou sunshine princess superman batman spiderman shadow michael jordan jennifer
   jessica charlie donald ashley bailey hunter killer george thomas daniel andrew joshua robert matthew nicole michelle summer winter
   spring autumn january february march april june july august september october november december monday friday sunday hello freedom
   whatever starwars pokemon computer internet secret supersecret topsecret private changeme changeit default temp temporary test
   testing tester guest access trustno money dollar bank banking business company corporate office work merchant payment payments
   gateway tillgate account accountant owner developer manager boss director sales shop store market samsung google facebook
   microsoft windows apple iphone android yandex vkontakte telegram russia moscow kazakhstan almaty uzbekistan tashkent natasha
   marina olga sergey andrey alexander alexandr dmitry vladimir maxim privet lyubov solnyshko kotik
   пароль йцукен йцукенг йцукенгшщз фывапролдж ячсмитьбю привет любовь люблю солнышко наташа марина ольга сергей андрей россия
   москва админ администратор логин секрет тест деньги магазин`
    .split(/\s+/)
    .filter((word) => word !== ""),
);

const ROWS = [
  "abcdefghijklmnopqrstuvwxyz",
  "01234567890",
  "qwertyuiop",
  "asdfghjkl",
  "zxcvbnm",
  "абвгдежзийклмнопрстуфхцчшщъыьэюя",
  "йцукенгшщзхъ",
  "фывапролджэ",
  "ячсмитьбю",
].flatMap((row) => [row, [...row].reverse().join("")]);

/** As people write letters: with digits and signs that look like them. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  "@": "a",
  "4": "a",
  "0": "o",
  "1": "i",
  "3": "e",
  $: "s",
  "5": "s",
  "7": "t",
};

/** Three words that have nothing to do with each other are no longer guessed first. */
const WORDS_MAX = 2;
const DIGIT_OR_SIGN = /[ -@[-`{-~]/;
const RUN_MIN = 3;
const UNIT_MAX = 8;
const DISTINCT_MIN = 5;

export function isCommonPassword(password: string, email: string): boolean {
  const text = password.toLowerCase();
  if (new Set(text).size < DISTINCT_MIN || isRepeated(text)) return true;
  const words = new Set([...WORDS, ...email.split(/[^a-z]+/).filter((part) => part.length >= RUN_MIN)]);
  const plain = [...text].map((letter) => LOOKALIKES[letter] ?? letter).join("");
  return countWords(text, plain, words) <= WORDS_MAX;
}

/** `abcabcabcabc`, `password password`. */
function isRepeated(text: string): boolean {
  const letters = text.replaceAll(/[^\p{L}\p{N}]/gu, "");
  return Array.from({ length: UNIT_MAX }, (_, index) => index + 1).some((unit) => {
    const repeats = Math.ceil(letters.length / unit);
    return repeats >= 2 && letters.slice(0, unit).repeat(repeats).startsWith(letters) && letters.length >= unit * 2;
  });
}

/**
 * The fewest known words that the text is made of, where digits, signs, runs of the keyboard and repeated letters count as nothing;
 * infinite where other letters remain. Linear in the text, times the longest word.
 */
function countWords(text: string, plain: string, words: ReadonlySet<string>): number {
  const best = [0, ...Array.from({ length: text.length }, () => Number.POSITIVE_INFINITY)];
  for (let from = 0; from < text.length; from += 1) {
    const cost = best[from] ?? Number.POSITIVE_INFINITY;
    if (cost > WORDS_MAX) continue;
    const step = (to: number, more: number) => {
      best[to] = Math.min(best[to] ?? Number.POSITIVE_INFINITY, cost + more);
    };
    if (DIGIT_OR_SIGN.test(text[from] ?? "")) step(from + 1, 0);
    for (let to = from + RUN_MIN; to <= text.length; to += 1) {
      const part = text.slice(from, to);
      if (words.has(part) || words.has(plain.slice(from, to))) step(to, 1);
      if (new Set(part).size === 1 || ROWS.some((row) => row.includes(part))) step(to, 0);
    }
  }
  return best[text.length] ?? Number.POSITIVE_INFINITY;
}
