import { render } from "preact";
import { App } from "./app.tsx";
import { isFramed, rememberFocus } from "./frame.ts";
import "../kit/tokens.css";
import "../kit/buttons.css";
import "../kit/fields.css";
import "../kit/dialog.css";
import "./style.css";
import "./style-buttons.css";
import "./style-card.css";
import "./style-choices.css";
import "./style-steps.css";
import "./style-transfer.css";
import { readFirstView } from "./view.ts";

const root = document.getElementById("app");
if (root !== null) {
  if (isFramed) {
    document.documentElement.classList.add("framed");
    rememberFocus();
  }
  // What was readable without this script makes room.
  root.replaceChildren();
  render(<App first={readFirstView()} />, root);
}
