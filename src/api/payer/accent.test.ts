import fc from "fast-check";
import { expect, it } from "vitest";
import { accentStyle, contrastOf, luminanceOf, textColourOn } from "./accent.ts";

it("can be read on any colour", () => {
  const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);
  fc.assert(
    fc.property(colour, (accent) => {
      const pair = [luminanceOf(accent), luminanceOf(textColourOn(accent))];
      expect(contrastOf(Math.max(...pair), Math.min(...pair))).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

it.each([
  ["#ffffff", "#000000"],
  ["#000000", "#ffffff"],
  ["#1a56db", "#ffffff"],
  ["#ffd400", "#000000"],
])("on %s writes %s", (accent, text) => {
  expect(accentStyle(accent)).toBe(`:root{--accent:${accent};--on-accent:${text}}`);
});

it("puts nothing but a colour into the style", () => {
  expect(accentStyle("red}body{display:none")).toBe(accentStyle(null));
});
