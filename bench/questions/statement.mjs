// How fast is a bank's statement taken in and compared, and does every fault in it come to light? 100,000 lines by default.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { withDatabase } from "../kit/projects.mjs";
import { startService } from "../kit/service.mjs";
import {
  differingLines,
  expectedDifferences,
  expectedImport,
  importedLines,
  seedLentPayins,
} from "../statement-world.mjs";

const PROGRAM = fileURLToPath(new URL("../../bin/tillgate.mjs", import.meta.url));
const LINES = Number(process.env.BENCH_STATEMENT_LINES ?? 100_000);
/** A tenth of it, so that memory that grows with the file can be seen. */
const LINES_SMALL = LINES / 10;
const IMPORT_AIM_S = 60;

export async function benchStatement() {
  const service = await startService({ role: "api" });
  const directory = mkdtempSync(join(tmpdir(), "tillgate-statement-"));
  try {
    const small = await measure(service, directory, "small", LINES_SMALL);
    const large = await measure(service, directory, "large", LINES);
    service.cli("ledger", "check");
    return {
      question: `a bank's statement of ${LINES} lines with one fault of each kind in every hundred; every fault was found, and nothing else`,
      rows: [
        {
          name: "imported",
          perSecond: LINES / large.importS,
          aim: `${IMPORT_AIM_S} s for all; took ${large.importS.toFixed(1)} s`,
        },
        { name: "imported again", perSecond: LINES / large.againS },
        { name: "compared", perSecond: LINES / large.compareS },
      ],
      notes: [
        `Most memory of the importing process: ${small.importMb.toFixed(0)} MB for ${LINES_SMALL} lines, ${large.importMb.toFixed(0)} MB for ${LINES}`,
        `Most memory of the comparing process: ${small.compareMb.toFixed(0)} MB for ${LINES_SMALL} lines, ${large.compareMb.toFixed(0)} MB for ${LINES}`,
      ],
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
    await service.stop();
  }
}

async function measure(service, directory, code, count) {
  const projectId = service.sandbox.project_id;
  service.cli("pool", "account", "add", code, ...ACCOUNT);
  service.cli(
    "pool",
    "requisite",
    "add",
    code,
    "--type",
    "card",
    "--value",
    code === "small" ? "2200000000000004" : "2200000000000012",
  );
  await withDatabase(service.database, async (client) => {
    const { rows } = await client.query("select id from receiving_accounts where code = $1", [code]);
    await seedLentPayins((text, values) => client.query(text, values), { projectId, accountId: rows[0].id, count });
  });
  const now = new Date();
  const bookedAt = now.toISOString();
  const otherDay = new Date(now.getTime() - 86_400_000).toISOString();
  const [file, later] = [join(directory, `${code}.csv`), join(directory, `${code}-later.csv`)];
  writeFileSync(file, [...importedLines(code, count, bookedAt)].join(""));
  writeFileSync(later, [...differingLines(code, count, bookedAt, otherDay)].join(""));
  const first = await runCommand(service, ["statement", "import", file, "--json"], 1);
  checkImport(JSON.parse(first.output), count);
  const again = await runCommand(service, ["statement", "import", file, "--json"], 1);
  const { known } = JSON.parse(again.output);
  const expected = expectedImport(count);
  if (known !== count + expected.known + count / 100 - expected.refused)
    throw new Error(`${known} lines were known the second time`);
  const day = bookedAt.slice(0, 10);
  const compared = await runCommand(service, ["reconcile", code, later, "--from", day, "--to", day, "--json"], 4);
  checkDifferences(JSON.parse(compared.output), count);
  return {
    importS: first.seconds,
    importMb: first.peakMb,
    againS: again.seconds,
    compareS: compared.seconds,
    compareMb: compared.peakMb,
  };
}

const ACCOUNT = ["--bank", "sberbank", "--currency", "RUB", "--country", "RU", "--holder", "IVAN I.", "--book", "test"];

function checkImport({ recorded, known, refused }, count) {
  const found = Object.fromEntries(recorded.map(({ outcome, count: lines }) => [outcome, lines]));
  const seen = JSON.stringify({
    exact: found.exact,
    ended: found.ended,
    unclaimed: found.unclaimed,
    known,
    refused: refused.count,
  });
  if (seen !== JSON.stringify(expectedImport(count))) throw new Error(`the import found ${seen}`);
}

function checkDifferences({ differences }, count) {
  const found = { missing_there: [], amount_differs: [], other_day: [], doubled: [], missing_here: [] };
  for (const { kind, reference } of differences) found[kind].push(reference);
  for (const list of Object.values(found)) list.sort(byNumber);
  if (JSON.stringify(found) !== JSON.stringify(expectedDifferences(count)))
    throw new Error("the differences are not those that were sown");
}

function byNumber(one, other) {
  return Number(one.slice(2)) - Number(other.slice(2));
}

/** As an operator would call it; the peak of its memory is the kernel's own count. */
async function runCommand(service, words, exitCode) {
  const began = performance.now();
  const child = spawn(process.execPath, [PROGRAM, ...words], {
    env: { ...process.env, TILLGATE_DATA_DIR: service.stateDir },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  let peakMb = 0;
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  const sampling = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(child.pid));
  }, 50);
  const code = await new Promise((resolve) => child.once("close", resolve));
  clearInterval(sampling);
  if (code !== exitCode) throw new Error(`${words.join(" ")} ended with ${code}: ${output.slice(0, 500)}`);
  return { output, peakMb, seconds: (performance.now() - began) / 1000 };
}

function peakOf(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
