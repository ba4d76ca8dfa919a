import { systemClock } from "../../platform/clock.ts";
import { findApiKey, listApiKeys, revokeApiKey } from "../../store/merchants/api-keys.ts";
import { CliFault, type Command, EXIT } from "../kit/command.ts";
import { optional, positional, readId } from "../kit/option-values.ts";
import { printJson, showInstant } from "../kit/output.ts";
import { keyJson, renderKeys } from "./key-view.ts";
import { requireMerchant } from "./merchant.ts";

export const keyList: Command = {
  name: "key list",
  summary: "List the keys, with their owner and whether they are valid now. Secrets are never shown.",
  arguments: [],
  options: {
    merchant: { type: "string", value: "ID", help: "only those of this merchant" },
    json: { type: "boolean", help: "print the list as JSON, with whole tokens" },
  },
  notes: ["Example: {program} key list"],
  run: (context, input) => {
    const merchantId = optional(input, "merchant", readId);
    return context.withDatabase(async (db) => {
      if (merchantId !== undefined) await requireMerchant(db, merchantId);
      const all = await listApiKeys(db);
      const keys = all.filter((key) => merchantId === undefined || key.merchantId === merchantId);
      const nowMs = systemClock.nowMs();
      if (input.flag("json")) {
        printJson(
          context,
          keys.map((key) => keyJson(key, nowMs)),
        );
      } else if (keys.length === 0) {
        context.print(
          `There are no keys yet. Make one with: ${context.programName} key add --project ID --generate rsa`,
        );
      } else {
        context.print(renderKeys(keys, nowMs));
      }
      return EXIT.done;
    });
  },
};

export const keyRevoke: Command = {
  name: "key revoke",
  summary: "Revoke a key permanently. The API then refuses requests that it signs.",
  arguments: ["KEY"],
  options: {},
  notes: ["KEY is the id that key list shows.", "Example: {program} key revoke 0192d3c0a1b27c3d8e4f5a6b7c8d9e0f"],
  run: (context, input) => {
    const id = readId(positional(input, 0), "KEY");
    return context.withDatabase(async (db) => {
      const key = await findApiKey(db, id);
      if (key === undefined) throw new CliFault(`There is no key ${id}.`);
      if (await revokeApiKey(db, id)) context.print(`Revoked key ${id}. Running services refuse it within seconds.`);
      else {
        const since = key.revokedAt === null ? "" : `, since ${showInstant(key.revokedAt)}`;
        context.print(`Key ${id} is revoked already${since}.`);
      }
      return EXIT.done;
    });
  },
};
