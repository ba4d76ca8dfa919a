import type { ElementHandle, Page } from "playwright-core";
import { expect } from "vitest";

/** A payer who has no pointer. Whatever has the focus must be seen to have it. */
export type Keyboard = {
  readonly press: (...keys: string[]) => Promise<void>;
  /** By Tab, until what is wanted has the focus. */
  readonly tabTo: (name: string | RegExp) => Promise<void>;
  /** By the arrows, within a group of radio buttons. */
  readonly arrowTo: (name: string | RegExp) => Promise<void>;
  /** What has the focus, in whichever frame: its name, or what it is. */
  readonly focused: () => Promise<string>;
};

const STEPS_MAX = 40;

/** Of the element that has the focus. `lost`: it is at no element at all. */
const NAME_OF_FOCUS = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body) return "lost";
  // The letters in a bank's mark are drawn: they are hidden from those who hear the name.
  const label = element.labels?.[0]?.querySelector(".choice-text") ?? element.labels?.[0];
  const text = element.getAttribute("aria-label") ?? label?.innerText ?? element.innerText;
  return text.trim().replace(/\\s+/g, " ");
})()`;

/** An outline around it, or around the label that holds it. A heading gets the focus to be read, not to be used. */
const IS_SEEN = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body || element.tabIndex < 0) return true;
  return [element, element.closest("label")].some((each) => {
    const style = each === null ? undefined : getComputedStyle(each);
    return style !== undefined && style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
  });
})()`;

type Frame = ReturnType<Page["mainFrame"]>;

/** A frame that has the focus hands it to something of its own. */
async function innermost(frame: Frame): Promise<Frame> {
  const handle = (await frame.evaluateHandle("document.activeElement")) as unknown as ElementHandle;
  const inner = await handle.asElement()?.contentFrame();
  return inner ? innermost(inner) : frame;
}

export function keyboardOf(page: Page): Keyboard {
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const focused = async () => (await innermost(page.mainFrame())).evaluate<string>(NAME_OF_FOCUS);
  const moveTo = async (key: string, name: string | RegExp) => {
    const passed: string[] = [];
    while (passed.length < STEPS_MAX) {
      const now = await focused();
      if (typeof name === "string" ? now === name : name.test(now)) return;
      passed.push(now);
      await press(key);
      const frame = await innermost(page.mainFrame());
      expect([await frame.evaluate<string>(NAME_OF_FOCUS), await frame.evaluate(IS_SEEN)]).toEqual([
        expect.any(String),
        true,
      ]);
    }
    expect.fail(`the focus never came to ${name}, only to ${passed.join(" | ")}`);
  };
  return {
    press,
    focused,
    tabTo: (name) => moveTo("Tab", name),
    arrowTo: (name) => moveTo("ArrowDown", name),
  };
}
