import { addProviderKey, type NewKeyWish, retireProviderKey } from "../../app/providers/manage-provider-keys.ts";
import type { Database } from "../../store/db.ts";
import { listKeysOfProvider, type ProviderKey } from "../../store/providers/provider-keys.ts";
import { findConfiguredProvider } from "../../store/providers/providers.ts";
import { type CliContext, CliFault, type Command, type CommandInput, EXIT } from "../kit/command.ts";
import { findDuration } from "../kit/durations.ts";
import { optional, positional, quote, readId, wrongUsage } from "../kit/option-values.ts";
import { printJson, showInstant } from "../kit/output.ts";
import { KEY_OPTIONS, readGivenKeys } from "./provider-secrets.ts";
import { providerNotConfigured } from "./provider-unknown.ts";
import { listedKeyJson, providerKeyJson, renderProviderKeys } from "./provider-view.ts";

const DAY_S = 86_400;
const RETIRE_IN_MAX_S = 90 * DAY_S;

export const providerKeyAdd: Command = {
  name: "provider key add",
  summary: "Add a key of a provider: for our calls, which it signs at once, or for the provider's callbacks.",
  arguments: ["NAME"],
  options: { ...KEY_OPTIONS, json: { type: "boolean", help: "print the key as JSON" } },
  hidesWords: true,
  notes: [
    "Give either --key or --callback-key. Register a new key for calls at the provider first: it signs from now on.",
    "The earlier key stays until you retire it. If the new key does not work, retire the new one: the earlier key signs again.",
    "Any callback key that is not retired verifies callbacks.",
    "Example: {program} provider key add acme --key acme-2.key.pem",
  ],
  run: async (context, input) => {
    const code = positional(input, 0);
    const wish = await readWish(context, input);
    return context.withDatabase(async (db) => {
      const keyring = await context.openKeyring(db);
      const added = await addProviderKey({ db, keyring }, code, wish);
      if (!added.ok) {
        if (added.error === "provider_unknown") throw await providerNotConfigured(db, code);
        throw new CliFault(`Provider ${code} has this key already. Nothing was changed.`);
      }
      if (input.flag("json")) printJson(context, providerKeyJson(added.value));
      else await printAdded(context, db, added.value);
      return EXIT.done;
    });
  },
};

async function readWish(context: CliContext, input: CommandInput): Promise<NewKeyWish> {
  if ((input.text("key") === undefined) === (input.text("callback-key") === undefined)) {
    throw wrongUsage("Give either --key FILE or --callback-key FILE.");
  }
  const { call, callback } = await readGivenKeys(context, input);
  if (call !== undefined) return { purpose: "call", material: call };
  if (callback !== undefined) return { purpose: "callback", material: callback };
  throw new Error("one of the two was given");
}

async function printAdded(context: CliContext, db: Database, { id, provider, purpose }: ProviderKey): Promise<void> {
  const does = purpose === "call" ? "signs our calls" : "verifies its callbacks";
  context.print(`Added key ${id}. Within 5 seconds it ${does} in every process.\n`);
  context.print(renderProviderKeys(await listKeysOfProvider(db, provider)));
}

export const providerKeyList: Command = {
  name: "provider key list",
  summary: "List the keys of a provider, and which of them is in use. Secrets are never shown.",
  arguments: ["NAME"],
  options: { json: { type: "boolean", help: "print the list as JSON, with whole tokens" } },
  notes: ["Example: {program} provider key list acme"],
  run: (context, input) =>
    context.withDatabase(async (db) => {
      const code = positional(input, 0);
      if ((await findConfiguredProvider(db, code)) === undefined) throw await providerNotConfigured(db, code);
      const keys = await listKeysOfProvider(db, code);
      const json = () => keys.map((key) => listedKeyJson(key, keys));
      if (input.flag("json")) printJson(context, json());
      else context.print(renderProviderKeys(keys));
      return EXIT.done;
    }),
};

export const providerKeyRetire: Command = {
  name: "provider key retire",
  summary: "Retire a key of a provider, now or later. It is then no longer used.",
  arguments: ["NAME", "KEY"],
  options: {
    in: { type: "string", value: "DURATION", help: "after this time, such as 24h or 7d; default now" },
    json: { type: "boolean", help: "print what was done as JSON" },
  },
  notes: [
    "KEY is the id that provider key list shows. The last key for calls cannot be retired: add its successor first.",
    "Example: {program} provider key retire acme 0192d3c0a1b27c3d8e4f5a6b7c8d9e0f --in 24h",
  ],
  run: (context, input) => {
    const provider = positional(input, 0);
    const keyId = readId(positional(input, 1), "KEY");
    const inSeconds = optional(input, "in", readDuration) ?? 0;
    return context.withDatabase(async (db) => {
      const retired = await retireProviderKey(db, { provider, keyId, inSeconds });
      if (!retired.ok) {
        if (retired.error === "provider_unknown") throw await providerNotConfigured(db, provider);
        throw new CliFault(`${REFUSALS[retired.error]} Nothing was changed.`);
      }
      const { key, retiresAt } = retired.value;
      if (input.flag("json")) printJson(context, providerKeyJson({ ...key, retiresAt }));
      else {
        const when =
          inSeconds === 0
            ? "Every process stops using it within 5 seconds."
            : `It is used until ${showInstant(retiresAt)}.`;
        context.print(`Retired key ${keyId} of provider ${provider}. ${when}`);
      }
      return EXIT.done;
    });
  },
};

const REFUSALS = {
  key_unknown: "This provider has no such key: see provider key list.",
  key_retired: "The key is retired already.",
  last_call_key: "It is the last key that signs calls to this provider: add its successor first with provider key add.",
} as const;

function readDuration(text: string, name: string): number {
  const seconds = findDuration(text);
  if (seconds === undefined || seconds > RETIRE_IN_MAX_S) {
    throw wrongUsage(`${name} must be a time such as 30min, 24h or 7d, and at most 90d. It is ${quote(text)}.`);
  }
  return seconds;
}
