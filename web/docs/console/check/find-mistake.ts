import type { Bytes } from "../signing/bytes.ts";
import { BODY_MISTAKES } from "./body-mistakes.ts";
import { HMAC_MISTAKES, RSA_MISTAKES } from "./key-mistakes.ts";
import { LINE_MISTAKES, targetMistakes } from "./line-mistakes.ts";
import type { Mistake } from "./mistake.ts";
import { NORMAL_MISTAKES } from "./normal-mistakes.ts";
import { fits, type Key, type Recipe } from "./recipe.ts";

export type Suspects = {
  /** The request's address as it was written. */
  readonly target?: string | undefined;
  /** The paths of all calls. */
  readonly paths?: readonly string[];
  readonly headers?: ReadonlyMap<string, string>;
};

/** Tries what programs usually get wrong, one mistake at a time, then two together. Answers the ones that fit. */
export async function findMistakes(
  recipe: Recipe,
  key: Key,
  signature: Bytes,
  suspects: Suspects = {},
): Promise<readonly Mistake[] | undefined> {
  const common = [
    ...SCHEME_MISTAKES,
    ...(key.kind === "rsa" ? RSA_MISTAKES : [...HMAC_MISTAKES, ...keyIdMistakes(suspects)]),
    ...BODY_MISTAKES,
    ...LINE_MISTAKES,
    ...targetMistakes(suspects.target, []),
    ...NORMAL_MISTAKES,
  ];
  const others = targetMistakes(undefined, suspects.paths ?? []);
  const isFitting = (...mistakes: readonly Mistake[]) => fitsWith(recipe, key, signature, mistakes);
  for (const mistake of [...common, ...others, ...timeMistakes(recipe)]) {
    if (await isFitting(mistake)) return [mistake];
  }
  for (const [index, first] of common.entries()) {
    for (const second of common.slice(index + 1)) {
      if (first.part !== second.part && (await isFitting(first, second))) return [first, second];
    }
  }
  return undefined;
}

async function fitsWith(recipe: Recipe, key: Key, signature: Bytes, mistakes: readonly Mistake[]): Promise<boolean> {
  let changed = recipe;
  for (const { change } of mistakes) {
    const changes = changeOf(change, changed);
    if (changes === undefined) return false;
    changed = { ...changed, ...changes };
  }
  try {
    return await fits(changed, key, signature);
  } catch {
    // A body that is not JSON has no other formats, and a short key no long salt.
    return false;
  }
}

function changeOf(change: Mistake["change"], recipe: Recipe): Partial<Recipe> | undefined {
  try {
    return change(recipe);
  } catch {
    return undefined;
  }
}

const SCHEME_MISTAKES: readonly Mistake[] = [
  {
    part: "scheme",
    says: "scheme 1, but the header names an algorithm of scheme 2. Leave -V2 away, or sign the four lines of scheme 2.",
    change: ({ scheme }) => (scheme === 2 ? { scheme: 1 } : undefined),
  },
  {
    part: "scheme",
    says: "scheme 2, but the header names an algorithm of scheme 1. Send x-access-merchant-algorithm with -V2 at its end.",
    change: ({ scheme }) => (scheme === 1 ? { scheme: 2 } : undefined),
  },
];

function keyIdMistakes({ headers }: Suspects): Mistake[] {
  const token = headers?.get("x-access-token") ?? "";
  const says = "the key's id in place of its secret. The secret begins with sk_ and is known to you alone.";
  return token === "" ? [] : [{ part: "key", says, change: () => ({ secret: () => new TextEncoder().encode(token) }) }];
}

const SECONDS_APART_MAX = 10;

/** The clock was read twice, or milliseconds were signed. Each costs one check, so a thousand take a moment. */
function timeMistakes({ timestamp }: Recipe): Mistake[] {
  if (!/^[0-9]{10,13}$/.test(timestamp)) return [];
  const at = (time: string, says: string): Mistake => ({ part: "time", says, change: () => ({ timestamp: time }) });
  const steps = Array.from({ length: SECONDS_APART_MAX }, (_, index) => index + 1).flatMap((step) => [step, -step]);
  const seconds = steps.map((step) => String(Number(timestamp) + step));
  const milliseconds = Array.from({ length: 1_000 }, (_, index) => timestamp + String(index).padStart(3, "0"));
  return [
    ...seconds.map((time) =>
      at(
        time,
        `the timestamp ${time}, but the header says ${timestamp}. Read the clock once and use that value twice.`,
      ),
    ),
    ...(timestamp.length === 13
      ? [at(timestamp.slice(0, 10), "the time in seconds, but the header has milliseconds. Send what you signed.")]
      : milliseconds.map((time) =>
          at(time, `the time in milliseconds (${time}), but the header has seconds. Sign the header's value.`),
        )),
  ];
}
