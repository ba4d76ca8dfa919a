import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useHeadingFocus } from "../kit/heading-focus.ts";
import { Notice } from "../kit/notice.tsx";
import { readClock } from "./countdown.ts";
import { tellParent, tellParentOfStep } from "./frame.ts";
import { followPayment } from "./live.ts";
import { Shell } from "./parts/shell.tsx";
import { doDeed, fetchView, pagePath } from "./server.ts";
import type { Perform } from "./steps/step-props.ts";
import { StepScreen } from "./steps/step-screen.tsx";
import { isOver, type View } from "./view.ts";
import { loadSpeech } from "./words/load-speech.ts";
import type { PageLanguage } from "./words/page-language.ts";
import { type Speech, SpeechContext } from "./words/words.ts";

export function App({ first, firstSpeech }: { readonly first: View; readonly firstSpeech: Speech }) {
  const { view, trouble, perform, refresh, complain } = usePayment(first);
  const [speech, switchLanguage] = useLanguage(firstSpeech, () => complain("silence"));
  const { language, words } = speech;
  const reading = useMemo(() => readClock(view), [view]);

  useEffect(() => {
    document.documentElement.lang = language;
    document.title = `${words.headings[view.step]} · ${view.shop.name}`;
  }, [language, view.step]);
  useHeadingFocus(view.step);
  useEffect(() => tellParentOfStep(view), [view.step, language]);

  return (
    <SpeechContext.Provider value={speech}>
      <Shell view={view} logoUrl={view.shop.logo ? `${pagePath}/logo` : undefined} onLanguage={switchLanguage}>
        <Notice text={trouble === undefined ? undefined : (words.errors[trouble] ?? words.errorUnknown)} />
        <StepScreen view={view} reading={reading} perform={perform} refresh={refresh} />
        <p class="unseen" role="status">
          {words.statuses[view.step]}
        </p>
      </Shell>
    </SpeechContext.Provider>
  );
}

/** Which language is spoken, and how to speak another. Its words are loaded first; until then the page stays as it is. */
function useLanguage(first: Speech, onSilence: () => void) {
  const [speech, setSpeech] = useState(first);
  const wanted = useRef(first.language);
  const speak = async (language: PageLanguage) => {
    wanted.current = language;
    const loaded = await loadSpeech(language).catch(onSilence);
    // The payer may have chosen another one meanwhile.
    if (loaded === undefined || wanted.current !== language) return;
    setSpeech(loaded);
    // So that a reload speaks it too; nothing is stored.
    history.replaceState(history.state, "", `?lang=${language}`);
  };
  return [speech, speak] as const;
}

/** One question without an answer is nothing yet: a computer that wakes up often has one. */
const SILENCES_TOLD = 2;

/** The payment as the server last said, and the ways to follow it and to act on it. */
function usePayment(first: View) {
  const [view, setView] = useState(first);
  const [trouble, setTrouble] = useState<string>();
  const asked = useRef(0);
  const shown = useRef(0);
  const busy = useRef(false);
  const silent = useRef(0);

  const show = (next: View, number: number) => {
    // An answer that was overtaken by a later one is of yesterday.
    if (number < shown.current) return;
    shown.current = number;
    setView(next);
  };
  const refresh = async () => {
    asked.current += 1;
    const number = asked.current;
    const answer = await fetchView();
    silent.current = answer.kind === "silence" ? silent.current + 1 : 0;
    if (silent.current >= SILENCES_TOLD) setTrouble((now) => now ?? "offline");
    if (answer.kind !== "view") return;
    show(answer.view, number);
    setTrouble((now) => (now === "silence" || now === "offline" ? undefined : now));
  };
  const perform: Perform = async (deed, body = {}) => {
    // One at a time: a second press of the button is the same wish.
    if (busy.current) return false;
    busy.current = true;
    setTrouble(undefined);
    const answer = await doDeed(deed, body);
    busy.current = false;
    if (answer.kind === "view") {
      asked.current += 1;
      show(answer.view, asked.current);
      // What happened while it was under way may have been heard, asked for and taken for older than this answer.
      if (!isOver(answer.view)) void refresh();
      return true;
    }
    setTrouble(answer.kind === "refused" ? answer.code : "silence");
    // Not waited for: the form that asked clears itself together with the words that say why.
    refresh();
    return false;
  };
  useEffect(() => {
    setTrouble((now) => (now === "wrong_state" ? now : undefined));
  }, [view.step]);
  useEffect(() => (isOver(view) ? undefined : followPayment(refresh)), [isOver(view)]);
  useEffect(() => {
    const onEscape = (event: KeyboardEvent) => {
      if (event.key === "Escape" && document.querySelector("dialog[open]") === null) tellParent(view, "close");
    };
    addEventListener("keydown", onEscape);
    return () => removeEventListener("keydown", onEscape);
  }, [view]);
  return { view, trouble, perform, refresh, complain: setTrouble };
}
