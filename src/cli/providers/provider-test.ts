import { findOpenProvider, type OpenProvider } from "../../app/providers/open-provider.ts";
import { formatMoney, minorToJson } from "../../core/money.ts";
import type { ProbeStep, ProviderProbe } from "../../core/provider-probe.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { Database } from "../../store/db.ts";
import { type CliContext, CliFault, type Command, EXIT, type ExitCode } from "../kit/command.ts";
import { positional } from "../kit/option-values.ts";
import { countOf, printJson } from "../kit/output.ts";
import { adviseOnProbe } from "./probe-advice.ts";
import { providerNotConfigured } from "./provider-unknown.ts";

export const providerTest: Command = {
  name: "provider test",
  summary: "Ask a provider for your balance and its banks, and say what it answers or what to correct.",
  arguments: ["NAME"],
  options: { json: { type: "boolean", help: "print the answer as JSON" } },
  notes: [
    "It calls balance/info and bank/all from this machine, with the key that signs now. Both only read.",
    "Example: {program} provider test acme",
  ],
  run: (context, input) =>
    context.withDatabase(async (db) => {
      const code = positional(input, 0);
      const provider = await openOrRefuse(db, await context.openKeyring(db), code);
      if (provider === undefined) throw await providerNotConfigured(db, code);
      const probe = await context.probeProvider(provider);
      if (input.flag("json")) printJson(context, probeJson(provider, probe));
      else printProbe(context, provider, probe);
      return exitCodeOf(probe);
    }),
};

async function openOrRefuse(db: Database, keyring: Keyring, code: string): Promise<OpenProvider | undefined> {
  try {
    return await findOpenProvider(db, keyring, code);
  } catch {
    throw new CliFault(
      `A key of provider ${code} cannot be decrypted with this master key. Give it again: provider key add.`,
    );
  }
}

type Failed = Exclude<ProbeStep<never>, { kind: "answered" }>;

/** The step that failed, if one did. */
function findFailed({ balances, banks }: ProviderProbe): Failed | undefined {
  if (balances.kind !== "answered") return balances;
  return banks === undefined || banks.kind === "answered" ? undefined : banks;
}

function exitCodeOf(probe: ProviderProbe): ExitCode {
  const failed = findFailed(probe);
  if (failed === undefined) return EXIT.done;
  return failed.kind === "no_answer" ? EXIT.unavailable : EXIT.refused;
}

function printProbe(context: CliContext, provider: OpenProvider, probe: ProviderProbe): void {
  const { balances, banks } = probe;
  const failed = findFailed(probe);
  if (balances.kind === "answered") {
    context.print(`${provider.code} answers, and accepts the key. Your balance there:`);
    if (balances.value.length === 0) context.print("  it lists no currency");
    for (const { amount, lockedAmount, currency } of balances.value) {
      context.print(`  ${formatMoney(amount, currency)}, and ${formatMoney(lockedAmount, currency)} locked`);
    }
  }
  if (banks?.kind === "answered") context.print(`It lists ${countOf(banks.value, "bank")}.`);
  if (failed !== undefined) context.printError(adviseOnProbe(provider, failed));
  else if (!provider.keys.some(({ purpose }) => purpose === "callback")) {
    context.print(
      `It has no callback key, so its callbacks are refused. To add one: ${context.programName} provider key add ${provider.code} --callback-key FILE`,
    );
  }
}

function probeJson(provider: OpenProvider, probe: ProviderProbe) {
  const { balances, banks } = probe;
  const failed = findFailed(probe);
  return {
    provider: provider.code,
    works: failed === undefined,
    balance:
      balances.kind === "answered"
        ? balances.value.map(({ currency, amount, lockedAmount }) => ({
            currency,
            amount: minorToJson(amount),
            locked_amount: minorToJson(lockedAmount),
          }))
        : null,
    banks: banks?.kind === "answered" ? banks.value : null,
    callback_keys: provider.keys.filter(({ purpose }) => purpose === "callback").length,
    problem: failed === undefined ? null : { ...failed, advice: adviseOnProbe(provider, failed) },
  };
}
