import type { Database } from "../../store/db.ts";
import { lockPerson, type Person, saveProfile } from "../../store/people/people.ts";
import { auditPerson } from "./audit.ts";
import type { Owner } from "./manage-factors.ts";

/** Changes a person's own name and language. What is not named stays as it is; what is already so is no change. */
export function changeProfile(
  db: Database,
  { id, email, actor }: Owner,
  wish: Partial<Pick<Person, "name" | "language">>,
): Promise<void> {
  return db.transaction(async (tx) => {
    const person = await lockPerson(tx, id);
    if (person === undefined) throw new Error("a session of a person who does not exist");
    const before = { name: person.name, language: person.language };
    const after = { name: wish.name ?? before.name, language: wish.language ?? before.language };
    if (after.name === before.name && after.language === before.language) return;
    await saveProfile(tx, id, after);
    await auditPerson(tx, { id, email }, { actor, action: "person.profile", before, after });
  });
}
