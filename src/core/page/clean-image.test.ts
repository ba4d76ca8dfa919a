import { describe, expect, it } from "vitest";
import { aPng, pngChunk } from "../../testing/builders/pictures.ts";
import { cleanImage } from "./clean-image.ts";

function segment(marker: number, data: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(data.length + 2);
  return Buffer.concat([Buffer.from([0xff, marker]), length, data]);
}

function aJpeg(...extra: Buffer[]): Buffer {
  const frame = segment(0xc0, Buffer.from([8, 0, 2, 0, 2, 1, 1, 0x11, 0]));
  const scan = Buffer.concat([segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])), Buffer.from([1, 2, 3])]);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...extra, frame, scan, Buffer.from([0xff, 0xd9])]);
}

describe("a picture", () => {
  it("without extras stays as it is", () => {
    expect(cleanImage(aPng())).toEqual({ ok: true, value: { type: "image/png", bytes: aPng() } });
    expect(cleanImage(aJpeg())).toEqual({ ok: true, value: { type: "image/jpeg", bytes: aJpeg() } });
  });

  it("loses texts, positions and whatever follows its end", () => {
    const secret = Buffer.from("Comment\0<script>secret</script>");
    const png = Buffer.concat([
      aPng(2, pngChunk("tEXt", secret), pngChunk("eXIf", secret)),
      Buffer.from("PK trailing"),
    ]);
    expect(cleanImage(png)).toEqual({ ok: true, value: { type: "image/png", bytes: aPng() } });
    const jpeg = Buffer.concat([aJpeg(segment(0xe1, secret), segment(0xfe, secret)), Buffer.from("PK trailing")]);
    expect(cleanImage(jpeg)).toEqual({ ok: true, value: { type: "image/jpeg", bytes: aJpeg() } });
  });

  it.each([
    ["text", Buffer.from("<svg onload=alert(1)>"), "not_an_image"],
    ["nothing", Buffer.alloc(0), "not_an_image"],
    ["a PNG cut short", aPng().subarray(0, 40), "damaged"],
    ["a PNG without a size", Buffer.concat([aPng().subarray(0, 8), aPng().subarray(33)]), "damaged"],
    ["a JPEG cut short", aJpeg().subarray(0, 8), "damaged"],
    ["a JPEG without pixels", Buffer.from([0xff, 0xd8, 0xff, 0xd9]), "damaged"],
    ["one that is too wide", aPng(5000), "too_many_pixels"],
    ["one that is too large", Buffer.alloc(300_000), "too_large"],
  ])("%s is refused", (_name, bytes, error) => {
    expect(cleanImage(bytes)).toEqual({ ok: false, error });
  });
});
