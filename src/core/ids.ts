/** Every id we issue is a UUIDv7 written as 32 lower-case hex characters, on the wire and in memory. */
export type Id = string & { readonly __brand: "Id" };

const ID_PATTERN = /^[0-9a-f]{32}$/;

export function findId(text: string): Id | undefined {
  return ID_PATTERN.test(text) ? (text as Id) : undefined;
}

/** Lays out the 48-bit time and 74 random bits of a UUIDv7. The caller brings both, so that this stays pure. */
export function uuidv7(timeMs: number, randomBytes: Uint8Array): Id {
  const bytes = new Uint8Array(16);
  let rest = timeMs;
  for (let index = 5; index >= 0; index -= 1) {
    bytes[index] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  bytes.set(randomBytes.subarray(0, 10), 6);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return Buffer.from(bytes.buffer).toString("hex") as Id;
}
