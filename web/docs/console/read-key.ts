import type { LoadedKey } from "./key-store.ts";
import { type Read, readHmacKey, readRsaPrivateKey } from "./signing/keys.ts";

export type KeyForm = {
  readonly merchantId: string;
  readonly projectId: string;
  readonly kind: "rsa" | "hmac";
  readonly pem: string;
  readonly keyId: string;
  readonly secret: string;
};

export const EMPTY_FORM: KeyForm = { merchantId: "", projectId: "", kind: "rsa", pem: "", keyId: "", secret: "" };

export async function readForm(form: KeyForm): Promise<Read<LoadedKey>> {
  const merchantId = form.merchantId.trim();
  const projectId = form.projectId.trim();
  if (!isWord(merchantId)) return { fault: "Enter the id of your merchant: the account shows it beside your keys." };
  if (!isWord(projectId)) return { fault: "Enter the id of a test project of yours." };
  const read =
    form.kind === "rsa" ? await readRsaPrivateKey(form.pem) : await readHmacKey(form.keyId.trim(), form.secret.trim());
  return "fault" in read ? read : { value: { merchantId, projectId, [form.kind]: read.value } };
}

/** Ids go into headers. */
function isWord(text: string): boolean {
  return /^[!-~]+$/.test(text);
}

/** What `.tillgate/sandbox.json` holds, with keys of both kinds or of one. */
export async function readSandboxFile(json: unknown): Promise<Read<LoadedKey>> {
  const file: Readonly<Record<string, unknown>> = typeof json === "object" && json !== null ? { ...json } : {};
  const textOf = (name: string) => (typeof file[name] === "string" ? String(file[name]) : "");
  const [merchantId, projectId] = [textOf("merchant_id"), textOf("project_id")];
  if (merchantId === "" || projectId === "") return { fault: "This is not the content of a sandbox.json." };
  const pem = textOf("rsa_private_key_pem");
  const secret = textOf("hmac_secret");
  const rsa = pem === "" ? undefined : await readRsaPrivateKey(pem);
  const hmac = secret === "" ? undefined : await readHmacKey(textOf("hmac_key_id"), secret);
  for (const read of [rsa, hmac]) if (read !== undefined && "fault" in read) return read;
  if (rsa === undefined && hmac === undefined) return { fault: "This file has no key in it." };
  return {
    value: {
      merchantId,
      projectId,
      ...(rsa !== undefined && "value" in rsa ? { rsa: rsa.value } : {}),
      ...(hmac !== undefined && "value" in hmac ? { hmac: hmac.value } : {}),
    },
  };
}

/** Changes to the form that a chosen file means, or a whole key. */
export async function readKeyFile(text: string): Promise<Read<LoadedKey | Partial<KeyForm>>> {
  if (text.includes("-----BEGIN")) {
    if (text.trimStart().startsWith("{")) return readSandboxFile(parsed(text));
    return { value: { kind: "rsa", pem: text } };
  }
  return readSandboxFile(parsed(text));
}

export function isLoaded(value: LoadedKey | Partial<KeyForm>): value is LoadedKey {
  return "rsa" in value || "hmac" in value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
