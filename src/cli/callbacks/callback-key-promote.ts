import { promoteSuccessor } from "../../app/callbacks/callback-keys.ts";
import { type CallbackKey, listCallbackKeys } from "../../store/callbacks/callback-keys.ts";
import { CliFault, type Command, EXIT } from "../kit/command.ts";
import { optional, readId } from "../kit/option-values.ts";
import { printJson, showInstant } from "../kit/output.ts";
import { getProject, showJson } from "./callback-key.ts";
import { renderCallbackKeys } from "./callback-key-view.ts";

export const callbackKeyPromote: Command = {
  name: "callback key promote",
  summary: "Promote the new key to x-access-signature. The old key signs the second header until the overlap ends.",
  arguments: [],
  options: {
    project: {
      type: "string",
      value: "ID",
      help: "the project whose HMAC secret is promoted; default the service's own key pair",
    },
    json: { type: "boolean", help: "print the keys that sign, and which header each makes, as JSON" },
  },
  notes: [
    "Receivers that verify only x-access-signature need the new key from this moment: promote it when they all have it.",
    "Without a promotion the keys swap at the end of the overlap, when the old key retires. Running services apply it within seconds.",
    "A webhook secret is never promoted: webhook-signature holds the signatures of both.",
    "Example: {program} callback key promote",
  ],
  run: (context, input) => {
    const projectId = optional(input, "project", readId) ?? null;
    const kind = projectId === null ? "rsa" : "hmac";
    return context.withDatabase(async (db) => {
      const project = projectId === null ? undefined : await getProject(db, projectId);
      const keyring = await context.openKeyring(db);
      const promoted = await promoteSuccessor(db, kind, projectId);
      if (!promoted.ok && promoted.error.code === "not_replaced") {
        throw new CliFault(
          "No key is being replaced, so there is none to promote: see callback key rotate. Nothing was changed.",
        );
      }
      const keys = (await listCallbackKeys(db)).filter((key) => key.kind === kind && key.projectId === projectId);
      if (input.flag("json")) printJson(context, { changed: promoted.ok, ...showJson(keyring, project, keys) });
      else context.print(`${promotedSentence(promoted.ok, keys)}\n\n${renderCallbackKeys(keyring, project, keys)}`);
      return EXIT.done;
    });
  },
};

function promotedSentence(changed: boolean, keys: readonly CallbackKey[]): string {
  const retiresAt = keys.find((key) => key.retiresAt !== null)?.retiresAt;
  const until = retiresAt == null ? "" : `, and the old one x-access-signature-next until ${showInstant(retiresAt)}`;
  return changed
    ? `The new key makes x-access-signature from now on${until}.`
    : `The new key was promoted before${until}. Nothing was changed.`;
}
