import { render } from "preact";
import { App } from "./app.tsx";
import "../kit/tokens.css";
import "../kit/buttons.css";
import "../kit/fields.css";
import "../kit/dialog.css";
import "uplot/dist/uPlot.min.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/shell.css";
import "./styles/lists.css";
import "./styles/screens.css";

const root = document.getElementById("app");
if (root !== null) render(<App />, root);
