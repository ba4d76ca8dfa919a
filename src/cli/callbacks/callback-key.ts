import { ensureCallbackKey, OVERLAP_STANDARD_S, rotateCallbackKey } from "../../app/callbacks/callback-keys.ts";
import type { Id } from "../../core/ids.ts";
import type { Keyring } from "../../platform/secrets.ts";
import { type CallbackKey, type CallbackKeyKind, listCallbackKeys } from "../../store/callbacks/callback-keys.ts";
import type { Database } from "../../store/db.ts";
import { findProject, type Project } from "../../store/merchants/projects.ts";
import { CliFault, type Command, type CommandInput, EXIT } from "../kit/command.ts";
import { optional, readChoice, readId, readInteger, wrongUsage } from "../kit/option-values.ts";
import { printJson, showInstant } from "../kit/output.ts";
import { projectUnknown } from "../merchants/project-view.ts";
import { callbackKeyJson, renderCallbackKeys } from "./callback-key-view.ts";

const SECRET_KINDS = ["webhook", "hmac"] as const satisfies readonly CallbackKeyKind[];
const DAY_S = 86_400;
const OVERLAP_STANDARD_DAYS = OVERLAP_STANDARD_S / DAY_S;
const OVERLAP_MAX_DAYS = 90;

export const callbackKeyShow: Command = {
  name: "callback key show",
  summary: "Show the keys that verify callbacks: the service's public key, and a project's secrets.",
  arguments: [],
  options: {
    project: { type: "string", value: "ID", help: "also show this project's secrets, which its merchant needs" },
    json: { type: "boolean", help: "print it as JSON" },
  },
  notes: [
    "With --project this prints secrets. Give them to that project's merchant only.",
    "The public key is also at /.well-known/tillgate-keys.json.",
    "Example: {program} callback key show --project PROJECT",
  ],
  run: (context, input) => {
    const projectId = optional(input, "project", readId);
    return context.withDatabase(async (db) => {
      const project = projectId === undefined ? undefined : await getProject(db, projectId);
      const keyring = await context.openKeyring(db);
      const keys = await listShown(db, keyring, project);
      if (input.flag("json")) printJson(context, showJson(keyring, project, keys));
      else context.print(renderCallbackKeys(keyring, project, keys));
      return EXIT.done;
    });
  },
};

export function showJson(keyring: Keyring, project: Project | undefined, keys: readonly CallbackKey[]) {
  const scope = project && { project_id: project.id, callback_signing: project.callbackSigning };
  return { ...scope, keys: keys.map((key) => callbackKeyJson(keyring, key, keys)) };
}

/** Those in force. One that was never needed yet is made now, so that a merchant has it before the first callback. */
async function listShown(db: Database, keyring: Keyring, project: Project | undefined): Promise<CallbackKey[]> {
  const wanted: (readonly [CallbackKeyKind, Id | null])[] = [["rsa", null]];
  if (project !== undefined) wanted.push(["webhook", project.id]);
  if (project?.callbackSigning === "hmac") wanted.push(["hmac", project.id]);
  for (const [kind, projectId] of wanted) await ensureCallbackKey({ db, keyring }, kind, projectId);
  const keys = await listCallbackKeys(db);
  return wanted.flatMap(([kind, projectId]) => keys.filter((key) => key.kind === kind && key.projectId === projectId));
}

export const callbackKeyRotate: Command = {
  name: "callback key rotate",
  summary: "Create a new key for callbacks. Both keys sign for some days, so that receivers can change over.",
  arguments: [],
  options: {
    project: {
      type: "string",
      value: "ID",
      help: "the project whose secret is replaced; default the service's own key pair",
    },
    kind: { type: "string", value: "webhook|hmac", help: "which secret of the project" },
    overlap: {
      type: "string",
      value: "DAYS",
      help: `how long both sign, from 0 to ${OVERLAP_MAX_DAYS}; ${OVERLAP_STANDARD_DAYS} if left out`,
    },
    json: { type: "boolean", help: "print the keys that sign from now on as JSON" },
  },
  notes: [
    "For a project this prints its new secret. Give it to the merchant before the old secret retires.",
    "The old key makes x-access-signature until you run {program} callback key promote, or the overlap ends.",
    "--overlap 0 retires the old keys immediately, for a leaked key: receivers without the new key refuse all callbacks.",
    "Example: {program} callback key rotate --project PROJECT --kind webhook --overlap 14",
  ],
  run: (context, input) => {
    const { projectId, kind } = readScope(input);
    const read = (text: string, name: string) => readInteger(text, name, 0, OVERLAP_MAX_DAYS);
    const overlapDays = optional(input, "overlap", read) ?? OVERLAP_STANDARD_DAYS;
    return context.withDatabase(async (db) => {
      const project = projectId === null ? undefined : await getProject(db, projectId);
      const keyring = await context.openKeyring(db);
      const listed = async () =>
        (await listCallbackKeys(db)).filter((key) => key.kind === kind && key.projectId === projectId);
      if (overlapDays > 0) requireSettled(await listed());
      await rotateCallbackKey({ db, keyring }, kind, projectId, overlapDays * DAY_S);
      const keys = await listed();
      if (input.flag("json")) printJson(context, showJson(keyring, project, keys));
      else context.print(`${rotatedSentence(kind, overlapDays)}\n\n${renderCallbackKeys(keyring, project, keys)}`);
      return EXIT.done;
    });
  },
};

function readScope(input: CommandInput): { projectId: Id | null; kind: CallbackKeyKind } {
  const projectId = optional(input, "project", readId);
  const kind = optional(input, "kind", (text, name) => readChoice(text, name, SECRET_KINDS));
  if (projectId === undefined && kind === undefined) return { projectId: null, kind: "rsa" };
  if (projectId === undefined) throw wrongUsage("--project is missing: it says whose secret is to be replaced.");
  if (kind === undefined) throw wrongUsage("--kind is missing: webhook or hmac.");
  return { projectId, kind };
}

/** A receiver that has already changed over knows only the key in the middle, and with a third one it would not sign. */
function requireSettled(keys: readonly CallbackKey[]): void {
  const retiring = keys.find((key) => key.retiresAt !== null);
  if (retiring?.retiresAt == null) return;
  throw new CliFault(
    `A key is being replaced already: the old one signs until ${showInstant(retiring.retiresAt)}. ` +
      "Wait until then, or use --overlap 0 to take all but the new one out of use at once. Nothing was changed.",
  );
}

function rotatedSentence(kind: CallbackKeyKind, overlapDays: number): string {
  return overlapDays === 0
    ? "There is a new key, and it alone signs callbacks from now on. Running services know it within seconds."
    : `There is a new key. For ${overlapDays} days it signs callbacks beside the old one, and then alone.${
        kind === "webhook" ? "" : " Once receivers have it, let it make x-access-signature: callback key promote."
      }`;
}

export async function getProject(db: Database, id: Id): Promise<Project> {
  const project = await findProject(db, id);
  if (project === undefined) throw projectUnknown(id);
  return project;
}
