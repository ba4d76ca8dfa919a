import { describe, expect, it } from "vitest";
import { findCardBrand, listCardFaults } from "../../src/core/cards/card.ts";
import { passesLuhn } from "../../src/core/cards/luhn.ts";
import { type CardErrors, type CardText, findMistake } from "../../web/widget/card/check-card.ts";
import { type Edit, editExpiry, editNumber, howOf } from "../../web/widget/card/edit.ts";
import { goesOn } from "../../web/widget/card/go-on.ts";
import { brandOf, groupNumber } from "../../web/widget/card/number.ts";
import { testCardText } from "../../web/widget/card/test-card-text.ts";

/** The rules of the card form, which run in the payer's browser: what a field shows, when the form goes on, what is wrong. */
const NOW = Date.UTC(2026, 6, 15);
/** Every mistake says its own name. */
const ERRORS = new Proxy({}, { get: (_, name) => (name === "cvvLength" ? () => name : name) }) as CardErrors;

/** A field with `|` at the caret, then keys as a browser does them to it: `<` is Backspace, `>` Delete. */
function press(edit: (edit: Edit) => { text: string; caret: number }, start: string, keys: string): string {
  let caret = start.indexOf("|");
  let text = start.replace("|", "");
  for (const key of keys) {
    const before = text;
    if (key === "<" && caret === 0) continue;
    const how = key === "<" ? "erased_back" : key === ">" ? "erased_forth" : "typed";
    const [from, to] = key === "<" ? [caret - 1, caret] : key === ">" ? [caret, caret + 1] : [caret, caret];
    const put = how === "typed" ? key : "";
    const edited = edit({
      typed: before.slice(0, from) + put + before.slice(to),
      caret: from + put.length,
      before,
      how,
    });
    ({ text, caret } = edited);
  }
  return `${text.slice(0, caret)}|${text.slice(caret)}`;
}

function paste(edit: (edit: Edit) => { text: string }, typed: string): string {
  return edit({ typed, caret: typed.length, before: "", how: "typed" }).text;
}

describe("a card's number", () => {
  it.each([
    ["4242424242424242", "4242 4242 4242 4242|"],
    ["378282246310005", "3782 822463 10005|"],
    ["6205500000000000004", "6205 5000 0000 0000 004|"],
    ["4242424242424242000", "4242 4242 4242 4242 000|"],
    ["42a4 2", "4242|"],
    // A full one takes no more.
    ["55555555555544449", "5555 5555 5555 4444|"],
    ["3782822463100059", "3782 822463 10005|"],
  ])("typed as %s is shown as %s", (keys, shown) => {
    expect(press(editNumber, "|", keys)).toBe(shown);
  });

  it.each([
    ["1234 |5678", "9", "1234 9|567 8"],
    ["12|34 5678", "9", "129|3 4567 8"],
    ["12|34 5678", "<", "1|345 678"],
    ["12|34 5678", ">", "12|45 678"],
    // The spaces cannot be erased, so the digit beside them is.
    ["1234 |5678", "<", "123|5 678"],
    ["1234| 5678", ">", "1234| 678"],
    ["1234 5678|", "<<<<<", "123|"],
    // A digit in the middle of a full one does not push the last out.
    ["5555 5|555 5555 4444", "1", "5555 5|555 5555 4444"],
    ["3782 82|2463 10005", "<1", "3782 81|2463 10005"],
  ])("%s, after %s, is %s: the caret stays where it was put", (start, keys, shown) => {
    expect(press(editNumber, start, keys)).toBe(shown);
  });

  it.each([
    [" 4242-4242\t4242 4242\n", "4242 4242 4242 4242"],
    ["4242.4242.4242.4242", "4242 4242 4242 4242"],
    ["Card: 5555 5555 5555 4444 (MC)", "5555 5555 5555 4444"],
    ["3782 8224 6310 005", "3782 822463 10005"],
    ["55555555555544441234", "5555 5555 5555 4444"],
  ])("pasted as %j is %s", (pasted, shown) => {
    expect(paste(editNumber, pasted)).toBe(shown);
  });

  it("is of the brand that the server says, for every beginning and length", () => {
    for (let prefix = 0; prefix < 10_000; prefix += 1) {
      const start = String(prefix).padStart(4, "0");
      for (let length = 12; length <= 19; length += 1) {
        const pan = start.padEnd(length, "1");
        const brand = brandOf(pan);
        const here = brand?.lengths.includes(length) === true ? brand.code : undefined;
        if (here !== findCardBrand(pan)) expect([pan, here]).toEqual([pan, findCardBrand(pan)]);
      }
    }
  });

  it.each([3, 4])("is wrong where the server says so, with a code of %i digits", (codeLength) => {
    const starts = [
      "4",
      "51",
      "2720",
      "2721",
      "2200",
      "2205",
      "34",
      "37",
      "50",
      "5614",
      "62",
      "8600",
      "9860",
      "30",
      "7",
    ];
    let right = 0;
    for (const start of starts) {
      for (let length = 10; length <= 19; length += 1) {
        for (let last = 0; last < 10; last += 1) {
          const pan = start.padEnd(length - 1, "7") + last;
          const cvv = "1".repeat(codeLength);
          const card: CardText = { number: groupNumber(pan), expiry: "12/30", cvv, holder: "" };
          const mistakes = (["number", "cvv"] as const).filter((field) => findMistake(field, card, NOW, ERRORS));
          const faults = listCardFaults({ pan, cvv, expiryMonth: 12, expiryYear: 2030 }, new Date(NOW));
          expect([pan, mistakes.includes("number")]).toEqual([pan, faults.some(({ field }) => field === "pan")]);
          if (mistakes.length === 0) right += passesLuhn(pan) ? 1 : 0;
          expect([pan, mistakes.length === 0]).toEqual([pan, faults.length === 0]);
        }
      }
    }
    expect(right).toBeGreaterThan(0);
  });

  it.each([
    ["", "numberEmpty"],
    ["4242 4242", "numberShort"],
    ["4242 4242 4242 42", "numberShort"],
    ["4242 4242 4242 4241", "numberWrong"],
    ["3056 9309 0259 04", "brandUnknown"],
    ["4242 4242 4242 4242", undefined],
  ])("%s: %s", (number, mistake) => {
    expect(findMistake("number", { number, expiry: "", cvv: "", holder: "" }, NOW, ERRORS)).toBe(mistake);
  });
});

describe("the month that a card is valid until", () => {
  it.each([
    ["0128", "01/28|"],
    ["128", "12/8|"],
    ["1/28", "01/28|"],
    ["1 28", "01/28|"],
    ["5", "05/|"],
    ["13", "01/3|"],
    ["12", "12/|"],
    ["1", "1|"],
    ["01/28", "01/28|"],
    ["01/2028", "01/28|"],
    ["012028", "01/28|"],
    ["01280", "01/28|"],
    ["0128<", "01/2|"],
    ["0128<<", "01|"],
    ["0128<<<", "0|"],
    ["0128<<<<", "|"],
  ])("typed as %s is shown as %s", (keys, shown) => {
    expect(press(editExpiry, "|", keys)).toBe(shown);
  });

  it.each([
    ["1|2/34", "<0", "0|2/34"],
    ["12/3|4", "<5", "12/5|4"],
    ["12/|34", "<", "12|/34"],
    ["|12/34", ">", "|2/34"],
    ["|2/34", "1", "1|2/34"],
  ])("%s, after %s, is %s", (start, keys, shown) => {
    expect(press(editExpiry, start, keys)).toBe(shown);
  });

  it.each([
    ["1/28", "01/28"],
    ["0128", "01/28"],
    ["2028-01", "01/28"],
    ["2028/1", "01/28"],
    ["01 / 28", "01/28"],
    ["01/2028", "01/28"],
    ["1/2028", "01/28"],
    ["12.2028", "12/28"],
    [" 12-28 ", "12/28"],
  ])("pasted as %j is %s", (pasted, shown) => {
    expect(paste(editExpiry, pasted)).toBe(shown);
  });

  it.each([
    ["", "expiryEmpty"],
    ["12/", "expiryEmpty"],
    ["01/202", "expiryEmpty"],
    ["13/28", "expiryWrong"],
    ["00/28", "expiryWrong"],
    ["06/26", "expiryOver"],
    ["07/26", undefined],
    ["7/26", undefined],
  ])("%s: %s", (expiry, mistake) => {
    expect(findMistake("expiry", { number: "", expiry, cvv: "", holder: "" }, NOW, ERRORS)).toBe(mistake);
  });
});

describe("the form goes on by itself", () => {
  const typed = { how: "typed" } as const;
  const at = (text: string) => ({ text, caret: text.length });
  it.each([
    ["number", "4242 4242 4242 4242", true],
    ["number", "3782 822463 10005", true],
    ["number", "2200 1117 5357 9001", true],
    // Right by chance, and shorter than most.
    ["number", "4222 2222 2222 2", false],
    // Of these, sixteen digits may be the first of nineteen.
    ["number", "6200 0000 0000 0005", false],
    ["number", "6205 5000 0000 0000 004", true],
    ["expiry", "12/28", true],
    ["cvv", "123", true],
    ["holder", "OLGA SERGEEVA", false],
  ] as const)("from %s with %s: %s", (field, text, does) => {
    expect(goesOn(field, typed, at(text), "")).toBe(does);
  });

  it("not while the payer corrects, erases or has filled in the next field, and not where the browser fills", () => {
    const text = "4242 4242 4242 4242";
    expect(goesOn("number", typed, { text, caret: 7 }, "")).toBe(false);
    expect(goesOn("number", typed, at(text), "1")).toBe(false);
    for (const how of ["erased_back", "erased_forth", "filled"] as const) {
      expect([how, goesOn("number", { how }, at(text), "")]).toEqual([how, false]);
    }
  });

  it.each([
    ["insertText", "typed"],
    ["insertFromPaste", "typed"],
    ["insertCompositionText", "typed"],
    ["deleteContentBackward", "erased_back"],
    ["deleteByCut", "erased_back"],
    ["deleteContentForward", "erased_forth"],
    ["insertReplacementText", "filled"],
    ["", "filled"],
    [undefined, "filled"],
  ])("%s: %s", (inputType, how) => {
    expect(howOf(inputType)).toBe(how);
  });
});

it("a test card is filled in whole, and nothing of it is wrong", () => {
  const card = testCardText("4000000000003220", NOW);
  expect(card).toEqual({ number: "4000 0000 0000 3220", expiry: "12/31", cvv: "123", holder: "TEST PAYER" });
  for (const field of ["number", "expiry", "cvv", "holder"] as const) {
    expect(findMistake(field, card, NOW, ERRORS)).toBeUndefined();
  }
});
