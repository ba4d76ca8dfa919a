import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Answer } from "./server.ts";
import type { Right, Session } from "./wire/people.ts";
import type { Project } from "./wire/reports.ts";

/** What every screen of a signed-in person has at hand. */
export type Account = {
  readonly session: Session;
  readonly projects: readonly Project[];
  /** False while they are being asked for: then there seem to be none. */
  readonly areProjectsKnown: boolean;
  /** Asks who is signed in again, after something about them changed. */
  readonly refresh: () => Promise<void>;
  /** Does a change. Where the server wants a second factor first, the person is asked for it, and it is done then. */
  readonly perform: <Value>(path: string, body?: object) => Promise<Answer<Value>>;
  /** The server does not know the session any more. */
  readonly onSignedOut: () => void;
};

export const AccountContext = createContext<Account | undefined>(undefined);

export function useAccount(): Account {
  const account = useContext(AccountContext);
  if (account === undefined) throw new Error("this screen is for people who are signed in");
  return account;
}

export function mayDo({ rights }: Session, right: Right): boolean {
  return rights.includes(right);
}
