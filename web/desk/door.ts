import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Answer } from "../account/server.ts";

export type DeskBody = Readonly<Record<string, unknown>> & { readonly general?: { readonly payment_id: string } };

/** How a desk reaches the service: the account asks with its session, the page of development mode by a door of its own. */
export type DeskDoor = {
  /** `payments`, `act`, `clock` …, with the body but for its project. */
  readonly ask: <Value>(name: string, body?: DeskBody) => Promise<Answer<Value>>;
  /** Makes the project's callbacks go to a URL. */
  readonly sendCallbacksTo: (url: string) => Promise<Answer<unknown>>;
};

export const DoorContext = createContext<DeskDoor | undefined>(undefined);

export function useDoor(): DeskDoor {
  const door = useContext(DoorContext);
  if (door === undefined) throw new Error("a desk needs a door");
  return door;
}
