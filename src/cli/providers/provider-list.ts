import type { Database } from "../../store/db.ts";
import { listPauses } from "../../store/merchants/pauses.ts";
import { listKeysOfProvider } from "../../store/providers/provider-keys.ts";
import { findConfiguredProvider, listConfiguredProviders } from "../../store/providers/providers.ts";
import { type Command, EXIT } from "../kit/command.ts";
import { positional } from "../kit/option-values.ts";
import { printJson } from "../kit/output.ts";
import { callbackUrlOf } from "./provider-add.ts";
import { providerNotConfigured } from "./provider-unknown.ts";
import {
  listedKeyJson,
  listJson,
  providerJson,
  renderProvider,
  renderProviderKeys,
  renderProviders,
} from "./provider-view.ts";

export const providerList: Command = {
  name: "provider list",
  summary: "List the providers: those of the program, and those that you added.",
  arguments: [],
  options: { json: { type: "boolean", help: "print the list as JSON" } },
  notes: ["Example: {program} provider list"],
  run: (context, input) =>
    context.withDatabase(async (db) => {
      const configured = await listConfiguredProviders(db);
      const paused = await listPaused(db);
      if (input.flag("json")) printJson(context, listJson(configured, paused));
      else context.print(renderProviders(configured, paused));
      return EXIT.done;
    }),
};

export const providerShow: Command = {
  name: "provider show",
  summary: "Show a provider that you added: its settings and its keys, without their secrets.",
  arguments: ["NAME"],
  options: { json: { type: "boolean", help: "print it as JSON, with whole tokens" } },
  notes: ["Example: {program} provider show acme"],
  run: (context, input) =>
    context.withDatabase(async (db) => {
      const code = positional(input, 0);
      const provider = await findConfiguredProvider(db, code);
      if (provider === undefined) throw await providerNotConfigured(db, code);
      const keys = await listKeysOfProvider(db, code);
      const paused = await listPaused(db);
      if (input.flag("json")) {
        printJson(context, { ...providerJson(provider, paused), keys: keys.map((key) => listedKeyJson(key, keys)) });
      } else {
        context.print(`${renderProvider(provider, paused, callbackUrlOf(context, code))}\n`);
        context.print(renderProviderKeys(keys));
      }
      return EXIT.done;
    }),
};

export async function listPaused(db: Database): Promise<ReadonlySet<string>> {
  const pauses = await listPauses(db);
  return new Set(pauses.filter(({ kind }) => kind === "provider").map(({ name }) => name));
}
