import { enableDisabledUrl } from "../../app/callbacks/enable-callback-url.ts";
import { listDisabledCallbackUrls } from "../../store/callbacks/read-disabled-callback-urls.ts";
import { findProject } from "../../store/merchants/projects.ts";
import { CliFault, type Command, EXIT } from "../kit/command.ts";
import { foreignJson } from "../kit/foreign-text.ts";
import { optional, positional, readId, requiredText } from "../kit/option-values.ts";
import { projectUnknown } from "../merchants/project-view.ts";
import { disabledUrlJson, renderDisabledUrls } from "./callback-view.ts";

export const callbackDisabled: Command = {
  name: "callback disabled",
  summary: "List the disabled URLs, which answered 410 Gone.",
  arguments: [],
  options: {
    project: { type: "string", value: "ID", help: "only those of this project" },
    json: { type: "boolean", help: "print the list as JSON" },
  },
  notes: ["Example: {program} callback disabled"],
  run: (context, input) => {
    const projectId = optional(input, "project", readId);
    return context.withDatabase(async (db) => {
      if (projectId !== undefined && (await findProject(db, projectId)) === undefined) throw projectUnknown(projectId);
      const urls = await listDisabledCallbackUrls(db, projectId);
      if (input.flag("json")) context.print(foreignJson(urls.map(disabledUrlJson), 2));
      else context.print(urls.length === 0 ? "There are none." : renderDisabledUrls(urls));
      return EXIT.done;
    });
  },
};

export const callbackEnable: Command = {
  name: "callback enable",
  summary: "Enable a URL that answered 410 Gone. Its waiting callbacks are sent immediately.",
  arguments: ["URL"],
  options: { project: { type: "string", value: "ID", help: "whose URL it is" } },
  notes: [
    "URL is written exactly as callback disabled shows it.",
    "Example: {program} callback enable https://shop.example/callbacks --project PROJECT",
  ],
  run: (context, input) => {
    const url = positional(input, 0);
    const projectId = readId(requiredText(input, "project"), "--project");
    return context.withDatabase(async (db) => {
      if ((await findProject(db, projectId)) === undefined) throw projectUnknown(projectId);
      const enabled = await enableDisabledUrl(db, { projectId, url, actor: context.actor });
      if (!enabled.ok) {
        throw new CliFault(
          `This URL is not disabled, and nothing was changed. Those that are: ${context.programName} callback disabled --project ${projectId}`,
        );
      }
      context.print(`Enabled. Callbacks that waited for it, and are due now: ${enabled.value.held}.`);
      return EXIT.done;
    });
  },
};
