import { findId, type Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import { newId } from "../../platform/new-id.ts";
import type { Transaction } from "../../store/db.ts";
import { insertMerchant } from "../../store/merchants/merchants.ts";
import { insertProject } from "../../store/merchants/projects.ts";
import { findSetting, saveSetting } from "../../store/processes/settings.ts";

/** The house's own project of a book: money of no merchant belongs to it, and what matches no pay-in is in suspense there. */
export async function findHouseProject(tx: Transaction, book: Book): Promise<Id | undefined> {
  const found = await findSetting(tx, settingOf(book));
  return found === undefined ? undefined : findId(found);
}

/** For callers that have a receiving account: then the house's project exists too. */
export async function getHouseProject(tx: Transaction, book: Book): Promise<Id> {
  const house = await findHouseProject(tx, book);
  if (house === undefined) throw new Error("a book with receiving accounts has a house project");
  return house;
}

/** Made when the book first needs it: with its first receiving account, or when an operator first moves a provider's funds. */
export async function ensureHouseProject(tx: Transaction, book: Book): Promise<Id> {
  await tx.run({ text: "select pg_advisory_xact_lock(hashtext('tillgate_house_project'))" });
  const found = await findHouseProject(tx, book);
  if (found !== undefined) return found;
  const [merchantId, id] = [newId(), newId()];
  await insertMerchant(tx, { id: merchantId, name: "The house" });
  await insertProject(tx, { id, merchantId, name: "Transfers that nobody claims", book });
  await saveSetting(tx, settingOf(book), id);
  return id;
}

function settingOf(book: Book): string {
  return `house_project_${book}`;
}
