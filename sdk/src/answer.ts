import type { FieldError } from "./contract-answers.ts";
import { FIELD_ERROR_SHAPE } from "./contract-shapes.ts";
import { TillgateApiError, TillgateResponseError } from "./errors.ts";
import { readBytes } from "./read-bytes.ts";
import { findMisfit, type Shape } from "./shape.ts";

/** Far above the longest list of banks; it only keeps a wrong address from filling the memory. */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024;

const RETRY_AFTER_SECONDS = /^[0-9]{1,9}$/;

export async function readText(response: Response): Promise<string> {
  if (response.body === null) return "";
  const bytes = await readBytes(response.body, ANSWER_BYTES_MAX);
  if (bytes === undefined) throw new TillgateResponseError(`the answer exceeds ${ANSWER_BYTES_MAX} bytes`);
  return bytes.toString("utf8");
}

export function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message is dropped, because it quotes the text, and that may hold a card number.
    throw new TillgateResponseError("the answer is not JSON: does baseUrl lead to a Tillgate service?");
  }
}

export function apiError(response: Response, text: string, options: { outcomeUnknown: boolean }): TillgateApiError {
  const body = parseObject(text);
  const retryAfter = response.headers.get("retry-after") ?? "";
  return new TillgateApiError(
    {
      httpStatus: response.status,
      code: typeof body.code === "string" ? body.code : "unknown",
      description: typeof body.status_description === "string" ? body.status_description : "no description was given",
      fieldErrors: Array.isArray(body.errors) ? body.errors.filter(isFieldError) : [],
      requestId: response.headers.get("x-request-id") ?? undefined,
      retryAfterS: RETRY_AFTER_SECONDS.test(retryAfter) ? Number(retryAfter) : undefined,
    },
    options,
  );
}

/** Holds an answer to the shape of its type, so that what the client's methods promise is true. */
export function shaped<T>(answer: unknown, shape: Shape, what: string): T {
  const misfit = findMisfit(answer, shape);
  if (misfit !== undefined) throw new TillgateResponseError(`the answer is not ${what}: ${misfit} is missing or wrong`);
  return answer as T;
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function isFieldError(value: unknown): value is FieldError {
  return findMisfit(value, FIELD_ERROR_SHAPE) === undefined;
}
