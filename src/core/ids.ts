/** Every id we issue is a UUIDv7 written as 32 lower-case hex characters, on the wire and in memory. */
export type Id = string & { readonly __brand: "Id" };

const ID_PATTERN = /^[0-9a-f]{32}$/;

export function findId(text: string): Id | undefined {
  return ID_PATTERN.test(text) ? (text as Id) : undefined;
}

const TIME_HEX_LENGTH = 12;
const ID_LENGTH = 32;

/** No id that was made then or later is below it: for reading along a primary key from a time on. */
export function lowestIdAt(instantMs: number): Id {
  const time = Math.max(0, Math.floor(instantMs)).toString(16).padStart(TIME_HEX_LENGTH, "0");
  return time.padEnd(ID_LENGTH, "0") as Id;
}
