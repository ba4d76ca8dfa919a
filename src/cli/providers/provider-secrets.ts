import { RSA_BITS_MAX, RSA_BITS_MIN } from "../../app/merchants/api-keys.ts";
import {
  type MaterialFault,
  type ProviderKeyMaterial,
  readCallbackKey,
  readCallKey,
} from "../../app/providers/provider-key-material.ts";
import type { Result } from "../../core/result.ts";
import { readSecretFile } from "../../platform/secret-file.ts";
import { type CliContext, CliFault, type CommandInput, type OptionSpec } from "../kit/command.ts";
import { wrongUsage } from "../kit/option-values.ts";

/** The keys of a provider, as an operator gives them: by a file or the standard input, and never as a word. */

export const KEY_OPTIONS = {
  key: {
    type: "string",
    value: "FILE",
    help: "what our calls are signed with: an RSA private key (PEM), or the secret of an HMAC key; - reads standard input",
  },
  "key-id": { type: "string", value: "ID", help: "the id of the HMAC key, such as ak_…; an RSA key needs none" },
  "callback-key": {
    type: "string",
    value: "FILE",
    help: "what its callbacks are verified with: its RSA public key (PEM), or the secret of its callbacks; - reads standard input",
  },
} as const satisfies Record<string, OptionSpec>;

export type GivenKeys = {
  readonly call: ProviderKeyMaterial | undefined;
  readonly callback: ProviderKeyMaterial | undefined;
};

export async function readGivenKeys(context: CliContext, input: CommandInput): Promise<GivenKeys> {
  const [callFile, callbackFile] = [input.text("key"), input.text("callback-key")];
  const id = readKeyId(input.text("key-id"));
  if (id !== undefined && callFile === undefined) throw wrongUsage("--key-id goes with --key.");
  if (callFile === "-" && callbackFile === "-") throw wrongUsage("Only one key can come from the standard input.");
  const call = callFile === undefined ? undefined : await readText(context, "--key", callFile);
  const callback = callbackFile === undefined ? undefined : await readText(context, "--callback-key", callbackFile);
  return {
    call: call === undefined ? undefined : materialOf("--key", readCallKey(call, id)),
    callback: callback === undefined ? undefined : materialOf("--callback-key", readCallbackKey(callback)),
  };
}

const KEY_ID = /^[\x21-\x7e]{1,128}$/;

function readKeyId(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (text.startsWith("sk_")) throw wrongUsage("--key-id is the public id of the key (ak_…), not its secret.");
  if (!KEY_ID.test(text)) throw wrongUsage("--key-id must have 1 to 128 characters without spaces.");
  return text;
}

/** The path is not repeated: people do put the secret itself where the path belongs. */
async function readText(context: CliContext, option: string, path: string): Promise<string> {
  if (path === "-") {
    const text = (await context.readInput()).replace(/[\r\n]+$/, "");
    if (text === "") throw new CliFault(`The standard input is empty; ${option} - reads the key from there.`);
    return text;
  }
  const read = readSecretFile(path);
  if (read.ok) return read.value;
  throw new CliFault(
    `${option} must name a file with the key, or be - for standard input, and this file ${read.error}. ` +
      "A secret must not stand on the command line itself, where other users of the machine can see it.",
  );
}

const SENTENCES: Readonly<Record<MaterialFault, string>> = {
  key_unreadable: "holds a key in PEM that cannot be read",
  key_not_rsa: "must hold an RSA key",
  key_size: `must hold an RSA key of ${RSA_BITS_MIN} to ${RSA_BITS_MAX} bits`,
  key_exponent: "holds an RSA key whose public exponent is not from 65537 to 2^32",
  certificate: "holds a certificate. Give a key: openssl x509 -in CERTIFICATE -noout -pubkey shows its public key",
  key_encrypted: "holds an encrypted key. Decrypt it first: openssl pkey -in KEY -out NEW",
  key_public: "holds a public key. Our calls are signed with the private key that belongs to it",
  key_private: "holds a private key. Callbacks are verified with the provider's public key, which it gives to everyone",
  id_missing: "holds the secret of an HMAC key: give its id with --key-id, such as ak_…",
  id_unneeded: "holds an RSA key, which needs no --key-id",
  secret_of_webhooks:
    "holds a secret of Standard Webhooks (whsec_…). Callbacks are verified by the protocol's own signature: give the provider's public key, or the secret of x-access-signature",
  secret_form: "must hold a key in PEM, or a secret of 16 to 1024 characters without spaces and line breaks",
};

function materialOf(option: string, read: Result<ProviderKeyMaterial, MaterialFault>): ProviderKeyMaterial {
  if (read.ok) return read.value;
  throw new CliFault(`${option} ${SENTENCES[read.error]}. Nothing was changed.`);
}
