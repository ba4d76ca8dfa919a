/** Every id we issue is a UUIDv7 written as 32 lower-case hex characters, on the wire and in memory. */
export type Id = string & { readonly __brand: "Id" };

const ID_PATTERN = /^[0-9a-f]{32}$/;

export function findId(text: string): Id | undefined {
  return ID_PATTERN.test(text) ? (text as Id) : undefined;
}
