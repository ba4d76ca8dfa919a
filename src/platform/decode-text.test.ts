import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeText, type TextEncoding } from "./decode-text.ts";

async function decode(pieces: readonly Uint8Array[], encoding?: TextEncoding): Promise<string> {
  let text = "";
  for await (const piece of decodeText(pieces, encoding)) {
    if (!piece.ok) return piece.error;
    text += piece.value;
  }
  return text;
}

const HELLO_1251 = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]);

it("gives the text however the bytes are cut", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "grapheme", maxLength: 600 }),
      fc.integer({ min: 1, max: 400 }),
      async (text, size) => {
        const bytes = Buffer.from(`x${text}`);
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
          bytes.subarray(at * size, (at + 1) * size),
        );
        expect(await decode(pieces)).toBe(`x${text}`);
      },
    ),
  );
});

it("reads Windows-1251 where it is told to, by the caller or by the XML declaration", async () => {
  expect(await decode([HELLO_1251], "windows-1251")).toBe("Привет");
  const declaration = Buffer.from('<?xml version="1.0" encoding="windows-1251"?>');
  expect(await decode([declaration, HELLO_1251])).toContain("Привет");
  expect(await decode([Buffer.from("\uFEFFПривет")], "windows-1251")).toBe("Привет");
});

it.each([
  ["Windows-1251 for UTF-8", [HELLO_1251], "not UTF-8 text"],
  ["late bytes that are not UTF-8", [Buffer.alloc(300, 32), HELLO_1251], "not UTF-8 text"],
  ["a character cut off at the end", [Buffer.alloc(300, 32), Buffer.from([0xd0])], "not UTF-8 text"],
  ["UTF-16", [Buffer.from([0xff, 0xfe, 0x41, 0])], "UTF-16"],
  ["another declared encoding", [Buffer.from('<?xml version="1.0" encoding="koi8-r"?>')], "neither in UTF-8"],
])("refuses %s", async (_name, pieces, sentence) => expect(await decode(pieces)).toContain(sentence));
