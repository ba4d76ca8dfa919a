export type Scheme = 1 | 2;
export type KeyKind = "rsa" | "hmac";

/** The names that `x-access-merchant-algorithm` takes, with the recommended ones first. */
export const ALGORITHMS = {
  "RSA-SHA256-V2": { scheme: 2, kind: "rsa" },
  "HMAC-SHA512-V2": { scheme: 2, kind: "hmac" },
  "RSA-SHA256": { scheme: 1, kind: "rsa" },
  "HMAC-SHA512": { scheme: 1, kind: "hmac" },
} as const satisfies Record<string, { readonly scheme: Scheme; readonly kind: KeyKind }>;

export type Algorithm = keyof typeof ALGORITHMS;

export const ALGORITHM_NAMES = Object.keys(ALGORITHMS) as readonly Algorithm[];

/** What a request without the header means. */
export const ALGORITHM_WHEN_ABSENT: Algorithm = "RSA-SHA256";

export function findAlgorithm(name: string): Algorithm | undefined {
  return ALGORITHM_NAMES.find((known) => known === name);
}
