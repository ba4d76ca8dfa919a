import fc from "fast-check";
import { expect, it } from "vitest";
import { textColourOn as onServer } from "../../src/api/payer/accent.ts";
import { textColourOn as inPreview } from "../../web/kit/accent.ts";

it("the preview puts the same text on a colour as the payment page does", () => {
  const colour = fc.integer({ min: 0, max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, "0")}`);
  fc.assert(fc.property(colour, (accent) => inPreview(accent) === onServer(accent)));
  for (const accent of ["#000000", "#ffffff", "#757575", "#767676", "#777777", "#1a56db"])
    expect(inPreview(accent)).toBe(onServer(accent));
});
