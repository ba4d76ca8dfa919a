import { expect, it } from "vitest";
import { findIssuer, originOfCard, readBinFile } from "./card-bins.ts";

const BINS = new Map([
  ["427901", { country: "RU", bank: "sberbank" }],
  ["42790155", { country: "KZ", bank: null }],
]);

it.each([
  ["4279010000000000", { country: "RU", bank: "sberbank" }],
  ["4279015512345678", { country: "KZ", bank: null }],
  ["4279015612345678", { country: "RU", bank: "sberbank" }],
  ["4242424242424242", undefined],
])("the longest prefix of %s counts", (pan, issuer) => {
  expect(findIssuer(BINS, pan)).toEqual(issuer);
  expect(originOfCard(BINS, pan)).toEqual(issuer ?? { country: null, bank: null });
});

const isBank = (symbol: string) => symbol === "sberbank";

it("a file is read", () => {
  expect(readBinFile("prefix,country,bank\n427901,RU,sberbank\n42790155,KZ,\n", isBank)).toEqual({
    ok: true,
    value: [
      { prefix: "427901", country: "RU", bank: "sberbank" },
      { prefix: "42790155", country: "KZ", bank: null },
    ],
  });
});

it("each fault of a file is told with its line, and no digits of what may be a card", () => {
  const lines = [
    "prefix,country,bank",
    "42790,RU,",
    "4279010000000000,RU,",
    "427901,ru,",
    "427902,RU,nobank",
    "427903,RU,",
    "427903,RU,",
    "427904,RU",
    "427905,RU,\u001b[2J",
  ];
  expect(readBinFile(lines.join("\n"), isBank)).toEqual({
    ok: false,
    error: [
      "line 2: prefix must be 6 to 8 digits",
      "line 3: prefix must be 6 to 8 digits",
      "line 4: country must be two capital letters, such as RU",
      'line 5: there is no bank "nobank": see bank list',
      "line 7: the same prefix as line 6",
      "line 8: 2 fields where the header has 3",
      'line 9: there is no bank "\\u001b[2J": see bank list',
    ],
  });
  expect(readBinFile("prefix,country,bank\n", isBank)).toEqual({ ok: false, error: ["the file lists no prefix"] });
  expect(readBinFile("bin,country\n427901,RU", isBank)).toEqual({
    ok: false,
    error: ["line 1: the header must name exactly these columns: prefix,country,bank"],
  });
  const many = ["prefix,country,bank", ...Array.from({ length: 25 }, () => "1,RU,")].join("\n");
  expect(readBinFile(many, isBank)).toMatchObject({ error: expect.objectContaining({ length: 21, 20: "and 5 more" }) });
});
