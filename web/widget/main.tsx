import { render } from "preact";
import { App } from "./app.tsx";
import "./style.css";
import "./style-choices.css";
import "./style-steps.css";
import { readFirstView } from "./view.ts";

const root = document.getElementById("app");
if (root !== null) {
  // What was readable without this script makes room.
  root.replaceChildren();
  render(<App first={readFirstView()} />, root);
}
