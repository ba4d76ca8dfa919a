import { expect, it } from "vitest";
import { preferredLanguage } from "./accept-language.ts";

const SPOKEN = ["en", "ru", "kk", "uz"] as const;

it.each([
  ["the only one", "kk", "kk"],
  ["a region makes no difference", "ru-RU", "ru"],
  ["nor does a script", "uz-Latn-UZ,en;q=0.1", "uz"],
  ["nor do capitals", "KK-kz", "kk"],
  ["the best quality", "en;q=0.5, ru;q=0.7, kk;q=0.6", "ru"],
  ["of equals the first", "uz;q=0.8,ru;q=0.8", "uz"],
  ["one without a quality is the best", "en;q=0.9,kk", "kk"],
  ["spaces are allowed", " ru ; q = 0.2 , en ; q=0.1", "ru"],
  ["not one that is refused", "kk;q=0,ru;q=0.1", "ru"],
  ["not one that is refused in full", "kk;q=0.000", undefined],
  ["the next where the first is not spoken", "de-DE,de;q=0.9,uz;q=0.4", "uz"],
  ["none where none is spoken", "de,fr;q=0.5,*;q=0.1", undefined],
  ["none of an empty header", "", undefined],
  ["none without a header", undefined, undefined],
  ["none of nonsense", "kkk-;;q=2,,;q=,ru;q=7,en;q=-1,\u0000", undefined],
  ["nothing behind the 32nd", `${"de,".repeat(32)}ru`, undefined],
])("%s", (_name, header, language) => {
  expect(preferredLanguage(header, SPOKEN)).toBe(language);
});
