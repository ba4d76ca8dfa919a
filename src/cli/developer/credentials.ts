import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readSandboxFile, SANDBOX_FILE_NAME, type SandboxFile } from "../../app/sandbox/sandbox-credentials.ts";
import { type CliContext, CliFault, type OptionSpec } from "../kit/command.ts";
import { reasonOf } from "../kit/input-file.ts";

export const CREDENTIALS_OPTION = {
  type: "string",
  value: "FILE",
  help: "a file of the form of .tillgate/sandbox.json, to use instead; keys of one kind are enough",
} as const satisfies OptionSpec;

/** The keys that a command signs with: those of the file that is named, else those that the service wrote. */
export function findCredentials(context: CliContext, given: string | undefined): SandboxFile {
  const path = given ?? join(context.stateDir, SANDBOX_FILE_NAME);
  const file = readSandboxFile(path);
  if (file !== undefined) return file;
  if (existsSync(path)) throw new CliFault(`${path} does not hold credentials: ${faultOf(path)}. ${FORM}`);
  throw new CliFault(
    given === undefined
      ? `There is no ${path} yet. The service writes it when it starts in development mode: ` +
          `${startCommand(context.programName)}. Or name other credentials with --credentials FILE.`
      : `There is no file ${path}.`,
  );
}

const FORM =
  "It needs base_url, merchant_id, project_id, and hmac_key_id with hmac_secret, or rsa_access_token with rsa_private_key_pem.";
const NAMES = ["base_url", "merchant_id", "project_id"] as const satisfies readonly (keyof SandboxFile)[];
const KEYS = [
  ["hmac_key_id", "hmac_secret"],
  ["rsa_access_token", "rsa_private_key_pem"],
] as const satisfies readonly (readonly (keyof SandboxFile)[])[];

/** The first thing that is wrong with it. No value is repeated: it may be a secret. */
function faultOf(path: string): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    return error instanceof SyntaxError ? "it is not JSON" : reasonOf(error);
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return "it is not a JSON object";
  const file = parsed as Readonly<Record<string, unknown>>;
  const isThere = (member: string) => typeof file[member] === "string" && file[member] !== "";
  const missing = NAMES.find((member) => typeof file[member] !== "string");
  if (missing !== undefined) return `${missing} is missing, or not a text`;
  const begun = KEYS.find((pair) => pair.some(isThere) && !pair.every(isThere));
  const lacking = begun?.find((member) => !isThere(member));
  if (lacking !== undefined) return `${lacking} is missing, or not a text`;
  const wrong = KEYS.flat().find((member) => file[member] !== undefined && typeof file[member] !== "string");
  return wrong === undefined ? "there is no key to sign with" : `${wrong} is not a text`;
}

/** In a clone, where the program is `./tillgate`, npm starts it. */
export function startCommand(programName: string): string {
  return programName.startsWith("./") ? "npm start" : `${programName} start`;
}
