import "../kit/tokens.css";
import "./styles/site.css";
import { mountConsole } from "./console/index.ts";
import { mountCopyButtons } from "./copy-buttons.ts";
import { loadOperations } from "./load-operations.ts";
import { mountNav } from "./nav.ts";
import { mountSamples } from "./samples/index.ts";
import { mountSearch } from "./search.tsx";

mountNav();
mountSearch();
mountCopyButtons();
const operations = await loadOperations();
mountSamples(operations);
mountConsole(operations);
