import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { SCENARIOS } from "../../src/cli/developer/trigger-table.ts";
import { EXIT } from "../../src/cli/kit/command.ts";
import { runCli } from "../../src/cli/kit/run.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { recordingContext } from "../../src/testing/program/cli-context.ts";
import { shortIt, sizeOf } from "../../src/testing/run/run-form.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { readDocument, wordsOf } from "../contract/document-commands.ts";
import { listSteps } from "./document-transcript.ts";

/** The commands for a merchant's developer, against a running service; none of them may ask for the database. */
const service = useTestService(useTestDatabase());
const PROGRAM = fileURLToPath(new URL("../../bin/tillgate.mjs", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "tillgate-developer-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function tillgate(...words: string[]) {
  const { context, printed, errors } = recordingContext({ stateDir: service.stateDir, programName: "./tillgate" });
  const exitCode = await runCli(context, words);
  return { exitCode, printed: printed.join("\n"), errors: errors.join("\n") };
}

const LONG = { timeout: 120_000 };

describe("docs/cli.md", LONG, () => {
  const mine = join(home, "mine.json");
  const [example] = JSON.parse(readDocument("docs/signing-vectors.json")).vectors.filter(
    ({ algorithm }: { algorithm: string }) => algorithm === "HMAC-SHA512",
  );
  const { name, algorithm, message } = example;
  // A frequent mistake: base64 with its padding.
  writeFileSync(
    mine,
    JSON.stringify({ vectors: [{ name, algorithm, message: message.replace("1706182847", "==1706182847") }] }),
  );

  const steps = listSteps(readDocument("docs/cli.md").replace(/^```json\n[\s\S]*?^```/m, ""));
  const shown = steps.flatMap((step) => (step.kind === "commands" && step.printed !== undefined ? [step] : []));

  shortIt("shows commands with what they print", () => expect(shown).toHaveLength(5));

  shortIt.each(shown.map((step) => [step.text.trim(), step.printed ?? ""] as const))("%s", async (command, printed) => {
    const words = wordsOf(command).slice(1);
    const answer = await tillgate(...words.map((word) => (word === "mine.json" ? mine : word)));
    const said = command.includes("--verbose") ? answer.errors : answer.printed;
    expect(plain(said.replaceAll(mine, "mine.json"))).toBe(plain(printed));
    expect(answer.exitCode).toBe(command.includes("vectors") ? EXIT.refused : EXIT.done);
  });
});

/** Without what differs from run to run: ids, addresses, times, and the requisites that the sandbox makes up. */
function plain(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{32}/g, "ID")
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "URL")
    .replaceAll(/^( {2}(?:card|holder|bank|until)) .*$/gm, "$1")
    .replaceAll(/^> {3}[\w-]{40,}\d{10}$/gm, "MESSAGE")
    .trim();
}

describe("payin and payout", LONG, () => {
  shortIt("are followed to the end, and print the payment as JSON for programs", async () => {
    const { exitCode, printed, errors } = await tillgate("payin", "2500.00", "RUB", "--confirm", "--wait", "--json");
    expect([exitCode, errors]).toEqual([EXIT.done, expect.stringContaining("  processing / paid\n  success")]);
    expect(JSON.parse(printed)).toMatchObject({ status: "success", payment: { amount: 250_000, currency: "RUB" } });
  });

  shortIt("that are declined end with 1", async () => {
    const [payin, payout] = await Promise.all([
      tillgate("payin", "2500.05", "RUB"),
      tillgate("payout", "1000.01", "RUB", "--wait"),
    ]);
    expect([payin.exitCode, payin.printed]).toEqual([EXIT.refused, expect.stringContaining("decline (no_requisites)")]);
    expect([payout.exitCode, payout.printed]).toEqual([
      EXIT.refused,
      expect.stringContaining("decline (provider_declined)"),
    ]);
  });

  shortIt("show where the payer's browser goes", async () => {
    const [page, card] = await Promise.all([
      tillgate("payin", "2500.00", "RUB", "--page"),
      tillgate("payin", "2500.00", "KZT", "--method", "card-ecom", "--test-card", "three_ds_1"),
    ]);
    expect(page.printed).toMatch(/The payer opens:\n {2}http:\/\/127\.0\.0\.1:\d+\/pay\/[0-9a-f]+\n/);
    expect(card.printed).toMatch(
      /awaiting_3ds_result\n\nThe payer opens:\n {2}http:\/\/127\.0\.0\.1:\d+\/3ds\/[0-9a-f]+\n/,
    );
  });

  shortIt("take the receiver's number from standard input, and show no part of it", async () => {
    const { context, printed, errors } = recordingContext({
      stateDir: service.stateDir,
      readInput: async () => "5555555555554444\n",
    });
    expect(await runCli(context, ["payout", "10.00", "RUB", "--to", "-"])).toBe(EXIT.done);
    expect([...printed, ...errors].join("\n")).not.toMatch(/5{8}/);
  });

  shortIt("repeat under the same id without a second payment", async () => {
    const words = ["payout", "12.00", "RUB", "--payment-id", "again-1", "--json"];
    const [first, second] = [await tillgate(...words), await tillgate(...words)];
    expect(JSON.parse(second.printed).request_id).toBe(JSON.parse(first.printed).request_id);
    const other = await tillgate("payout", "13.00", "RUB", "--payment-id", "again-1");
    expect([other.exitCode, other.errors]).toEqual([
      EXIT.refused,
      expect.stringContaining("HTTP 409 payment_id_conflict"),
    ]);
  });
});

describe("a service that does not answer", () => {
  shortIt("leaves the id that makes a repeat safe", async () => {
    const { exitCode, errors } = await tillgate(
      "payin",
      "1.00",
      "RUB",
      "--payment-id",
      "p-7",
      "--base-url",
      "http://127.0.0.1:1",
    );
    expect(exitCode).toBe(EXIT.unavailable);
    expect(errors).toContain("Nothing answers at http://127.0.0.1:1.");
    expect(errors).toContain("use the same command with --payment-id p-7.");
  });
});

describe("the program with settings of production that are not complete", LONG, () => {
  const run = (...words: string[]) => {
    const env = { PATH: process.env.PATH, TILLGATE_MODE: "production", TILLGATE_DATA_DIR: service.stateDir };
    return promisify(execFile)(process.execPath, [PROGRAM, ...words], { env, cwd: home });
  };

  shortIt("runs a developer's command, and refuses an operator's", async () => {
    expect(JSON.parse((await run("call", "/api/v1/balance/info")).stdout)).toHaveProperty("balance");
    await expect(run("project", "list")).rejects.toMatchObject({
      code: EXIT.usage,
      stderr: expect.stringContaining("DATABASE_URL (or DATABASE_URL_FILE) is missing"),
    });
  });
});

describe("trigger", LONG, () => {
  const movesClock = ({ says }: { says: string }) => says.includes("moves the clock");

  async function drive(name: string, end: string) {
    const { exitCode, printed, errors } = await tillgate("trigger", name, "--json");
    const { reached, states, callbacks, payment } = JSON.parse(printed);
    expect([name, exitCode, reached, states.at(-1), errors]).toEqual([name, EXIT.done, true, end, expect.any(String)]);
    const [status, subStatus] = end.replace(/ \(.*$/, "").split(" / ");
    expect(payment).toMatchObject({ status, sub_status: subStatus ?? null });
    expect(callbacks.at(-1)).toEqual({
      sequence: expect.any(Number),
      state: [status, subStatus].filter(Boolean).join(" / "),
      answered: 204,
    });
  }

  shortIt("reaches every end, and sees the callback of each", async () => {
    // Those that move the clock would move it for the others.
    await Promise.all(SCENARIOS.filter((each) => !movesClock(each)).map(({ name, end }) => drive(name, end)));
  });

  const moving = SCENARIOS.filter(movesClock).slice(...sizeOf({ short: [0, 2], long: [2] }));

  it.each(moving.map(({ name, end }) => [name, end] as const))("reaches %s", drive);

  shortIt("sends callbacks elsewhere where that is asked for", async () => {
    const { exitCode, printed } = await tillgate("trigger", "card.decline", "--callback-url", "project");
    expect([exitCode, printed]).toEqual([
      EXIT.done,
      expect.stringContaining("A callback for each change goes to the project's callback URL, if it has one."),
    ]);
  });
});
