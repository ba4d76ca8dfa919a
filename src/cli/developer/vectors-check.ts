import { readFileSync } from "node:fs";
import { installedFile } from "../../platform/installed-files.ts";
import { type CliContext, CliFault, type Command, EXIT } from "../kit/command.ts";
import { foreignJson, showForeignText } from "../kit/foreign-text.ts";
import { readInputFile } from "../kit/input-file.ts";
import { countOf, printJson } from "../kit/output.ts";
import { checkVector, findReference, readVectorFile, type VectorFile, type Verdict } from "./vector-file.ts";

/** It is installed with the program. */
const REFERENCE = "docs/signing-vectors.json";

export const vectorsCheck: Command = {
  name: "vectors check",
  audience: "developers",
  summary: "Check what your program signs against the test vectors, and name the first step that differs.",
  arguments: ["[FILE]"],
  options: { json: { type: "boolean", help: "print the result as JSON" } },
  notes: [
    `Without FILE it checks this program against the vectors of the contract, ${REFERENCE}.`,
    "To check your own program, let it read that file and write one of the same form: for each vector its name and algorithm,",
    "and normalised, message and signature as your program makes them. Leave out what it does not make. For RSA, sign with a",
    "key of your own, and write its public half as rsa.public_key_pem. Vectors with another name are checked too, if they",
    "have path, timestamp and body. Leave out the vectors that are not valid, or, if your program verifies signatures, write",
    "what it says of each as valid, without a signature. - reads FILE from standard input.",
    "Exit code 0: all are right; 1: one differs, or the file cannot be read.",
    "Example: {program} vectors check",
  ],
  run: async (context, input) => {
    const reference = readReference();
    const [path] = input.positionals;
    const file = path === undefined ? reference : await readGiven(context, path);
    const results = await checkAll(file, reference);
    const wrong = results.filter(({ verdict }) => verdict.kind !== "right");
    if (input.flag("json")) printJson(context, toJson(results));
    else showResults(context, results, { path: path ?? installedFile(REFERENCE), known: reference.vectors.length });
    return wrong.length === 0 && results.length > 0 ? EXIT.done : EXIT.refused;
  },
};

type Result = { readonly name: string; readonly algorithm: string; readonly verdict: Verdict };

function readReference(): VectorFile {
  const file = readVectorFile(readFileSync(installedFile(REFERENCE), "utf8"));
  if (typeof file === "string") throw new Error(`${REFERENCE} is not whole: ${file}`);
  return file;
}

async function readGiven(context: CliContext, path: string): Promise<VectorFile> {
  const file = readVectorFile(await readInputFile(context, path));
  if (typeof file === "string") throw new CliFault(`${path} does not hold vectors: ${file}.`);
  return file;
}

async function checkAll(file: VectorFile, reference: VectorFile): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, entry] of file.vectors.entries()) {
    const verdict = await checkVector(entry, file.keys, {
      entry: findReference(reference, entry),
      keys: reference.keys,
    });
    const name = typeof entry.name === "string" ? entry.name : `vector ${index + 1}`;
    results.push({ name, algorithm: String(entry.algorithm), verdict });
  }
  return results;
}

const SHOWN_MAX = 400;
/** One cause makes many differ; the rest are counted. */
const DETAILS_MAX = 5;

function showResults(
  context: CliContext,
  results: readonly Result[],
  { path, known }: { readonly path: string; readonly known: number },
): void {
  const wrong = results.filter(({ verdict }) => verdict.kind !== "right");
  for (const { name, algorithm, verdict } of wrong.slice(0, DETAILS_MAX)) {
    context.print(`${showForeignText(algorithm, SHOWN_MAX)}, ${showForeignText(name, SHOWN_MAX)}:`);
    if (verdict.kind === "unusable") context.print(`  cannot be checked: ${verdict.reason}`);
    if (verdict.kind !== "differs") continue;
    const { step, made, right } = verdict.difference;
    context.print(`  ${step} differs first`);
    context.print(`    yours: ${showMade(made)}`);
    context.print(`    right: ${showMade(right)}`);
  }
  if (wrong.length > DETAILS_MAX) context.print(`… and ${wrong.length - DETAILS_MAX} more.`);
  const count = countOf(results.length, "vector");
  const ofAll = results.length === known ? "" : ` (the contract has ${known})`;
  const isRight = wrong.length === 0 && results.length > 0;
  context.print(
    isRight ? `${count} of ${path}: all right${ofAll}.` : `${path}: ${wrong.length} of ${count} wrong${ofAll}.`,
  );
}

/** Line feeds are part of what scheme 2 signs, and must be seen. Nothing is hidden: a test vector is no secret. */
function showMade(text: string): string {
  const shown = foreignJson(text);
  return shown.length > SHOWN_MAX ? `${shown.slice(0, SHOWN_MAX)}…` : shown;
}

function toJson(results: readonly Result[]) {
  return {
    ok: results.length > 0 && results.every(({ verdict }) => verdict.kind === "right"),
    checked: results.length,
    wrong: results.flatMap(({ name, algorithm, verdict }) => {
      if (verdict.kind === "right") return [];
      return [{ name, algorithm, ...(verdict.kind === "differs" ? verdict.difference : { reason: verdict.reason }) }];
    }),
  };
}
