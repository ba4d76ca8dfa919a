import type { Id } from "../../core/ids.ts";
import type { Transaction } from "../db.ts";

/** A human being who signs in. What they may do is in their memberships. */
export type Person = {
  readonly id: Id;
  readonly email: string;
  readonly name: string;
  readonly language: "en" | "ru";
  readonly passwordHash: string | null;
  readonly createdAt: Date;
};

const COLUMNS = `id, email, name, language, password_hash as "passwordHash", created_at as "createdAt"`;

export async function findPersonByEmail(tx: Transaction, email: string): Promise<Person | undefined> {
  const rows = await tx.run<Person>({ text: `select ${COLUMNS} from people where email = $1`, values: [email] });
  return rows[0];
}

export async function findPerson(tx: Transaction, id: Id): Promise<Person | undefined> {
  const rows = await tx.run<Person>({ text: `select ${COLUMNS} from people where id = $1`, values: [id] });
  return rows[0];
}

/** Changes of what a person signs in with come one after the other. */
export async function lockPerson(tx: Transaction, id: Id): Promise<Person | undefined> {
  const rows = await tx.run<Person>({ text: `select ${COLUMNS} from people where id = $1 for update`, values: [id] });
  return rows[0];
}

export async function lockPersonByEmail(tx: Transaction, email: string): Promise<Person | undefined> {
  const rows = await tx.run<Person>({
    text: `select ${COLUMNS} from people where email = $1 for update`,
    values: [email],
  });
  return rows[0];
}

/** Undefined when another row has the address. */
export async function insertPerson(
  tx: Transaction,
  person: Pick<Person, "id" | "email" | "name" | "passwordHash"> & Partial<Pick<Person, "language">>,
): Promise<Person | undefined> {
  const rows = await tx.run<Person>({
    text: `insert into people (id, email, name, password_hash, language) values ($1, $2, $3, $4, coalesce($5, 'en'))
           on conflict (email) do nothing returning ${COLUMNS}`,
    values: [person.id, person.email, person.name, person.passwordHash, person.language ?? null],
  });
  return rows[0];
}

export async function savePassword(tx: Transaction, id: Id, passwordHash: string): Promise<void> {
  await tx.run({ text: "update people set password_hash = $2 where id = $1", values: [id, passwordHash] });
}

export async function saveProfile(tx: Transaction, id: Id, profile: Pick<Person, "name" | "language">): Promise<void> {
  await tx.run({
    text: "update people set name = $2, language = $3 where id = $1",
    values: [id, profile.name, profile.language],
  });
}
