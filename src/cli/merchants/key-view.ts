import type { KeyScope } from "../../app/merchants/api-keys.ts";
import type { Id } from "../../core/ids.ts";
import { keyState } from "../../core/merchants/api-key-rules.ts";
import type { Secret } from "../../platform/secret.ts";
import type { KeyKind } from "../../platform/signing.ts";
import type { ApiKey } from "../../store/merchants/api-keys.ts";
import type { CliContext } from "../kit/command.ts";
import { printJson, renderPairs, renderTable, showInstant } from "../kit/output.ts";

/** How keys are shown. Their secret part only here, once, when they are made. */
export type AddedKey = {
  readonly id: Id;
  readonly token: string;
  readonly kind: KeyKind;
  /** The private key or the secret, when it was made here. */
  readonly secret: Secret<string> | undefined;
};

type Shown = AddedKey & { readonly scope: KeyScope; readonly out: string | undefined; readonly json: boolean };

const SECRET_NAMES = { rsa: "private key", hmac: "secret" } as const satisfies Record<KeyKind, string>;
const SECRET_MEMBERS = { rsa: "private_key_pem", hmac: "secret" } as const satisfies Record<KeyKind, string>;

export function printAddedKey(context: CliContext, key: Shown): void {
  const secret = key.out === undefined ? key.secret?.reveal().trimEnd() : undefined;
  if (key.json) {
    printJson(context, {
      key_id: key.id,
      kind: key.kind,
      token: key.token,
      ...scopeJson(key.scope),
      ...(secret === undefined ? {} : { [SECRET_MEMBERS[key.kind]]: secret }),
      ...(key.out === undefined ? {} : { out: key.out }),
    });
    return;
  }
  context.print(`Added a ${key.scope.book} ${key.kind.toUpperCase()} key.\n`);
  context.print(
    renderPairs([
      ["key", key.id],
      ["for", scopeText(key.scope)],
      ["valid", validityText(key.scope)],
      ["x-access-token", key.token],
    ]),
  );
  const name = SECRET_NAMES[key.kind];
  if (key.out !== undefined)
    context.print(`\nThe ${name} is in ${key.out}, which only you can read. There is no copy.`);
  if (secret !== undefined)
    context.print(`\nThis is the only time that the ${name} is shown. Keep it safe:\n\n${secret}`);
}

export function renderKeys(keys: readonly ApiKey[], nowMs: number): string {
  const titles = ["KEY", "KIND", "BOOK", "STATE", "FROM", "UNTIL", "FOR", "TOKEN", "LABEL"];
  const rows = keys.map((key) => [
    key.id,
    key.kind,
    key.book,
    keyState(key, nowMs),
    showInstant(key.notBefore),
    key.notAfter === null ? "-" : showInstant(key.notAfter),
    scopeText(key),
    key.kind === "rsa" ? shortToken(key.token) : key.token,
    key.label,
  ]);
  return renderTable(
    titles.map((title) => ({ title })),
    rows,
  );
}

export function keyJson(key: ApiKey, nowMs: number) {
  return {
    key_id: key.id,
    kind: key.kind,
    token: key.token,
    ...scopeJson(key),
    state: keyState(key, nowMs),
    revoked_at: key.revokedAt?.toISOString() ?? null,
    created_at: key.createdAt.toISOString(),
  };
}

/** All RSA tokens begin alike, with the algorithm, and end alike, with the exponent; in between they differ. */
export function shortToken(token: string): string {
  return `${token.slice(0, 6)}…${token.slice(-20)}`;
}

function scopeText({ projectId, merchantId }: Pick<KeyScope, "projectId" | "merchantId">): string {
  return projectId === null ? `merchant ${merchantId}` : `project ${projectId}`;
}

function validityText({ notBefore, notAfter }: KeyScope): string {
  return `from ${showInstant(notBefore)} ${notAfter === null ? "on" : `until ${showInstant(notAfter)}`}`;
}

function scopeJson({ merchantId, projectId, book, label, notBefore, notAfter }: KeyScope) {
  return {
    merchant_id: merchantId,
    project_id: projectId,
    book,
    label,
    not_before: notBefore.toISOString(),
    not_after: notAfter?.toISOString() ?? null,
  };
}
