import { type ChangeFault, changeProvider, retireProvider } from "../../app/providers/manage-providers.ts";
import type { Database } from "../../store/db.ts";
import { CliFault, type Command, EXIT } from "../kit/command.ts";
import { positional, wrongUsage } from "../kit/option-values.ts";
import { countOf, printJson } from "../kit/output.ts";
import { callbackUrlOf } from "./provider-add.ts";
import { listPaused } from "./provider-list.ts";
import { readBaseUrl, readSettings, SETTING_OPTIONS } from "./provider-options.ts";
import { providerNotConfigured } from "./provider-unknown.ts";
import { providerJson, renderProvider } from "./provider-view.ts";

export const providerSet: Command = {
  name: "provider set",
  summary: "Change a provider that you added. Omitted settings stay unchanged.",
  arguments: ["NAME"],
  options: { ...SETTING_OPTIONS, json: { type: "boolean", help: "print the provider as JSON" } },
  notes: [
    "Every process applies it within 5 seconds. Calls under way end as they began.",
    "Change --base-url, --merchant-id or --project-id only if it stays the same account: it is asked there about the payments that it has.",
    "--project-id is refused while a payment of the provider is not over.",
    "Its keys are changed by provider key add and provider key retire.",
    "Example: {program} provider set acme --timeout-ms 15000 --serves payin:card-p2p,payout:card-p2p",
  ],
  run: (context, input) => {
    const code = positional(input, 0);
    const settings = readSettings(input);
    const given = input.text("base-url");
    const baseUrl = given === undefined ? undefined : readBaseUrl(context, given);
    if (baseUrl === undefined && Object.keys(settings).length === 0) {
      throw wrongUsage("Nothing to change: name at least one setting.");
    }
    return context.withDatabase(async (db) => {
      const changes = { settings, ...(baseUrl === undefined ? {} : { baseUrl }) };
      const changed = await changeProvider(db, code, changes);
      if (!changed.ok) throw await whyNot(db, code, changed.error);
      const paused = await listPaused(db);
      if (input.flag("json")) printJson(context, providerJson(changed.value, paused));
      else {
        context.print(`Changed provider ${code}.\n`);
        context.print(renderProvider(changed.value, paused, callbackUrlOf(context, code)));
      }
      return EXIT.done;
    });
  },
};

async function whyNot(db: Database, code: string, fault: ChangeFault): Promise<CliFault> {
  if (fault.kind === "provider_unknown") return providerNotConfigured(db, code);
  const undecided = `${countOf(fault.count, "payment")} of ${code} ${fault.count === 1 ? "is" : "are"} not over`;
  const advice = "pause the provider and wait until they are, or add the other project as another provider";
  return new CliFault(`${undecided}, and another project there does not know them: ${advice}. Nothing was changed.`);
}

export const providerRetire: Command = {
  name: "provider retire",
  summary: "Stop using a provider for new payments, permanently. Its payments in progress continue.",
  arguments: ["NAME"],
  options: { json: { type: "boolean", help: "print what was done as JSON" } },
  notes: [
    "Routes that name it pass it over. Its keys stay in use, so that its payments are followed to their end.",
    "To stop it for a while, use pause provider instead.",
    "Example: {program} provider retire acme",
  ],
  run: (context, input) => {
    const code = positional(input, 0);
    return context.withDatabase(async (db) => {
      const retired = await retireProvider(db, code);
      if (!retired.ok) throw await providerNotConfigured(db, code);
      const { changed, routes } = retired.value;
      if (input.flag("json")) printJson(context, { provider: code, retired: true, changed, routes });
      else {
        context.print(
          changed
            ? `Retired provider ${code}. New payments pass it over within 5 seconds; those that it has continue.`
            : `Provider ${code} is retired already, and nothing was changed.`,
        );
        if (routes > 0)
          context.print(
            `${countOf(routes, "route")} of projects still ${routes === 1 ? "names" : "name"} it: see project show.`,
          );
      }
      return EXIT.done;
    });
  },
};
