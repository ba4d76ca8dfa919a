import { addProvider } from "../../app/providers/manage-providers.ts";
import { PROVIDER_KINDS } from "../../core/providers.ts";
import { CliFault, type Command, EXIT } from "../kit/command.ts";
import { optional, positional, readBook, readChoice, requiredText, wrongUsage } from "../kit/option-values.ts";
import { printJson } from "../kit/output.ts";
import { readBaseUrl, readNewCode, readSettings, SETTING_OPTIONS } from "./provider-options.ts";
import { KEY_OPTIONS, readGivenKeys } from "./provider-secrets.ts";
import { providerJson, renderProvider } from "./provider-view.ts";

export const providerAdd: Command = {
  name: "provider add",
  summary: "Add a provider: another gateway that payments can go through.",
  arguments: ["NAME"],
  options: {
    kind: {
      type: "string",
      value: "upstream",
      help: "upstream: a gateway that speaks the protocol that Tillgate serves",
    },
    book: { type: "string", value: "live|test", help: "whose money it moves; cannot be changed later; default live" },
    ...SETTING_OPTIONS,
    ...KEY_OPTIONS,
    json: { type: "boolean", help: "print the provider as JSON" },
  },
  hidesWords: true,
  notes: [
    "NAME names the provider in routes, reports and the ledger (clearing:NAME). It cannot be changed, or used again later.",
    "--kind, --base-url, --merchant-id, --project-id and --key are required. Secrets are stored encrypted and never shown.",
    "Without --callback-key its callbacks are refused, and payments are checked on a schedule only.",
    "Next: provider test NAME, then project set PROJECT --route payin:card-p2p=NAME.",
    "Example: {program} provider add acme --kind upstream --base-url https://pay.acme.example --merchant-id 0198c6a15f3b7c0e8d2a4b6c8e0f1a00 --project-id 0198c6a15f3b7c0e8d2a4b6c8e0f1a2b --key acme.key.pem --callback-key acme.pub.pem",
  ],
  run: async (context, input) => {
    const code = readNewCode(positional(input, 0));
    const kind = readChoice(requiredText(input, "kind"), "--kind", PROVIDER_KINDS);
    const baseUrl = readBaseUrl(context, requiredText(input, "base-url"));
    const named = readSettings(input);
    requiredText(input, "merchant-id");
    requiredText(input, "project-id");
    const { merchantId = "", projectId = "" } = named;
    const book = optional(input, "book", readBook) ?? "live";
    const { call, callback } = await readGivenKeys(context, input);
    if (call === undefined) throw wrongUsage("--key is missing: the file with what our calls are signed with.");
    const keys = [
      { purpose: "call" as const, material: call },
      ...(callback === undefined ? [] : [{ purpose: "callback" as const, material: callback }]),
    ];
    return context.withDatabase(async (db) => {
      const keyring = await context.openKeyring(db);
      const settings = { ...named, merchantId, projectId };
      const added = await addProvider({ db, keyring }, { code, kind, book, baseUrl, settings, keys });
      if (!added.ok) throw refusal(code, added.error);
      if (input.flag("json")) printJson(context, providerJson(added.value, NONE_PAUSED));
      else {
        context.print(
          `Added provider ${code}. To see whether it answers: ${context.programName} provider test ${code}\n`,
        );
        context.print(renderProvider(added.value, NONE_PAUSED, callbackUrlOf(context, code)));
      }
      return EXIT.done;
    });
  },
};

const NONE_PAUSED: ReadonlySet<string> = new Set();

/** What the provider is told, with each payment, to send its callbacks to. */
export function callbackUrlOf({ publicUrl }: { readonly publicUrl: string | undefined }, code: string) {
  return publicUrl === undefined ? undefined : `${publicUrl}/provider/${code}/callback`;
}

function refusal(code: string, fault: "code_reserved" | "code_taken"): CliFault {
  return new CliFault(
    fault === "code_taken"
      ? `There is a provider ${code} already, or there was one: a name is never used again. Nothing was changed.`
      : `The name ${code} is Tillgate's own. Nothing was changed.`,
  );
}
