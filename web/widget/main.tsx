import { render } from "preact";
import { App } from "./app.tsx";
import { isFramed, rememberFocus } from "./frame.ts";
import "./styles.ts";
import { readFirstView } from "./view.ts";
import { loadSpeech } from "./words/load-speech.ts";

const root = document.getElementById("app");
if (root !== null) {
  if (isFramed) {
    document.documentElement.classList.add("framed");
    rememberFocus();
  }
  const first = readFirstView();
  const speech = await loadSpeech(first.language);
  // What was readable without this script makes room.
  root.replaceChildren();
  render(<App first={first} firstSpeech={speech} />, root);
}
