import { type Static, Type } from "typebox";
import type { KeyReach, KeyWish } from "../../../app/merchants/manage-keys.ts";
import { BOOKS } from "../../../core/merchants/book.ts";
import { type AccountFault, accountFault } from "../../../core/people/account-fault.ts";
import { fail, ok, type Result } from "../../../core/result.ts";
import { CLOSED } from "../../merchant/blocks.ts";
import { plainText } from "../../merchant/text-forms.ts";
import { idOf } from "../route.ts";

/** What the forms of keys send. */

const LABEL_MAX = 128;
/** More than a key of 4096 bits takes in PEM. */
const PEM_MAX = 4_096;
const VALID_DAYS_MAX = 3_650;
/** How long a replaced key may work on: an hour, a day, a week. */
const OVERLAPS_S = [3_600, 86_400, 604_800] as const;

const made = {
  label: plainText(0, LABEL_MAX),
  kind: Type.Enum(["rsa", "hmac"]),
  /** Of an RSA key. The private half stays in the browser. */
  public_key: Type.Optional(Type.String({ minLength: 1, maxLength: PEM_MAX })),
  valid_days: Type.Union([Type.Integer({ minimum: 1, maximum: VALID_DAYS_MAX }), Type.Null()]),
};

export const newKeyBody = Type.Object(
  {
    ...made,
    /** Null: for all projects of the book. */
    project_id: Type.Union([Type.String({ maxLength: 64 }), Type.Null()]),
    book: Type.Optional(Type.Enum([...BOOKS])),
  },
  CLOSED,
);

export const replaceBody = Type.Object(
  { ...made, overlap_s: Type.Union(OVERLAPS_S.map((seconds) => Type.Literal(seconds))) },
  CLOSED,
);

export const revokeBody = Type.Object({ last_too: Type.Boolean() }, CLOSED);

type MadeBody = Pick<Static<typeof newKeyBody>, keyof typeof made>;

export function readWish({ label, kind, public_key, valid_days }: MadeBody): Result<KeyWish, AccountFault> {
  if ((kind === "rsa") !== (public_key !== undefined))
    return fail(accountFault("validation_failed", "public_key goes with an RSA key, and with no other"));
  const source =
    public_key === undefined ? { kind: "hmac" as const } : { kind: "rsa" as const, publicKeyPem: public_key };
  return ok({ label: label.trim(), validDays: valid_days, source });
}

export function readReach({ project_id, book }: Static<typeof newKeyBody>): Result<KeyReach, AccountFault> {
  if (project_id !== null) return ok({ projectId: idOf(project_id) });
  return book === undefined
    ? fail(accountFault("validation_failed", "book is required where project_id is null"))
    : ok({ projectId: null, book });
}
