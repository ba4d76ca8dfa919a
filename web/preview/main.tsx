import { render } from "preact";
import { OUR_ACCENT, textColourOn } from "../kit/accent.ts";
import { PREVIEW_READY, type PreviewLook } from "../kit/preview-look.ts";
import { readClock } from "../widget/countdown.ts";
import { Shell } from "../widget/parts/shell.tsx";
import { StepScreen } from "../widget/steps/step-screen.tsx";
import "../widget/styles.ts";
import { en } from "../widget/words/en.ts";
import { ru } from "../widget/words/ru.ts";
import { SpeechContext } from "../widget/words/words.ts";
import { sampleView } from "./sample.ts";
import { showTheme } from "./theme.ts";

/** The account's languages. */
const WORDS = { en, ru };

/** Draws the payment page as it would be with the look that the settings tell. Nothing in it can be used. */
function draw(look: PreviewLook, root: HTMLElement): void {
  const { language, accent, logo, theme } = look;
  const view = sampleView(look);
  const { style } = document.documentElement;
  const colour = accent ?? OUR_ACCENT;
  style.setProperty("--accent", colour);
  style.setProperty("--on-accent", textColourOn(colour));
  document.documentElement.lang = language;
  showTheme(theme);
  const nothing = async () => false;
  render(
    <SpeechContext.Provider value={{ language, words: WORDS[language] }}>
      <Shell view={view} logoUrl={logo ?? undefined} onLanguage={() => undefined}>
        <StepScreen view={view} reading={readClock(view)} perform={nothing} refresh={async () => undefined} />
      </Shell>
    </SpeechContext.Provider>,
    root,
  );
}

const root = document.getElementById("app");
if (root !== null && parent !== window) {
  addEventListener("message", ({ origin, source, data }: MessageEvent<PreviewLook>) => {
    if (origin === location.origin && source === parent) draw(data, root);
  });
  parent.postMessage(PREVIEW_READY, location.origin);
}
