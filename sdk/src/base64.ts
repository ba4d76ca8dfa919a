/**
 * Node's decoder takes padding, both alphabets and stray characters, and ignores the spare bits of the last character,
 * so several texts mean the same bytes. Encoding again and comparing leaves exactly one text for each value.
 */
export function decodeBase64url(text: string): Buffer | undefined {
  return decodeCanonical(text, "base64url");
}

/** The standard alphabet with its padding, as Standard Webhooks uses it. */
export function decodeBase64(text: string): Buffer | undefined {
  return decodeCanonical(text, "base64");
}

function decodeCanonical(text: string, encoding: "base64" | "base64url"): Buffer | undefined {
  const bytes = Buffer.from(text, encoding);
  return text !== "" && bytes.toString(encoding) === text ? bytes : undefined;
}
