import { dismissDeadCallbacks } from "../../store/callbacks/dismiss-callbacks.ts";
import { findShownCallback } from "../../store/callbacks/read-callbacks.ts";
import { CliFault, type Command, EXIT } from "../kit/command.ts";
import { positional, readId } from "../kit/option-values.ts";
import { printJson } from "../kit/output.ts";
import { callbackUnknown } from "./callback-list.ts";

export const callbackDismiss: Command = {
  name: "callback dismiss",
  summary: "Dismiss a dead letter: it need not be delivered any more, and attention does not name it.",
  arguments: ["CALLBACK"],
  options: { json: { type: "boolean", help: "print the result as JSON" } },
  notes: [
    "Nothing is deleted. You can still replay a dismissed callback: {program} callback replay CALLBACK",
    "Example: {program} callback dismiss 0192d3c0a1b27c3d8e4f5a6b7c8d9e0f",
  ],
  run: (context, input) => {
    const id = readId(positional(input, 0), "CALLBACK");
    return context.withDatabase(async (db) => {
      const callback = await findShownCallback(db, id);
      if (callback === undefined) throw callbackUnknown(id);
      const dismissed = await dismissDeadCallbacks(db, callback.projectId, [id], context.actor);
      if (dismissed.length === 0) {
        throw new CliFault(
          `Only a dead letter can be dismissed. This callback is ${callback.state}. Nothing was changed.`,
        );
      }
      if (input.flag("json")) printJson(context, { callback_id: id, state: "dismissed" });
      else context.print(`Callback ${id} is dismissed.`);
      return EXIT.done;
    });
  },
};
