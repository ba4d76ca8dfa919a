import { render } from "preact";
import { DeskPage } from "./desk-page.tsx";
import "../kit/tokens.css";
import "../kit/buttons.css";
import "../kit/fields.css";
import "../kit/dialog.css";
import "../account/styles/base.css";
import "../account/styles/controls.css";
import "../account/styles/choices.css";
import "../account/styles/dialogs.css";
import "../account/styles/test-band.css";
import "../account/styles/shell.css";
import "../account/styles/panels.css";
import "../account/styles/callbacks.css";
import "./desk.css";
import "./desk-page.css";

const root = document.getElementById("app");
if (root !== null) render(<DeskPage />, root);
