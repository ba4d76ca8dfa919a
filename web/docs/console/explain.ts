import { ASK_OPERATOR, MEANINGS } from "./meanings.ts";
import type { Answer } from "./service.ts";

/** Undefined for an answer that is no error. */
export function explain(answer: Answer): string | undefined {
  if (answer.status < 400) return undefined;
  const code = codeOf(answer.text);
  if (code === undefined) return "This is not an answer of the service, but of a server in front of it.";
  return MEANINGS[code] ?? ASK_OPERATOR;
}

function codeOf(text: string): string | undefined {
  try {
    const { code }: { code?: unknown } = JSON.parse(text);
    return typeof code === "string" ? code : undefined;
  } catch {
    return undefined;
  }
}
