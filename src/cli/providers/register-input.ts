import { openRegister, type RegisterItem } from "../../core/provider-books/register-file.ts";
import {
  PROTOCOL_STATUSES,
  type RegisterMapping,
  readRegisterColumns,
  readRegisterStatuses,
} from "../../core/provider-books/register-mapping.ts";
import type { Result } from "../../core/result.ts";
import { decodeText, type TextEncoding } from "../../platform/decode-text.ts";
import type { CliContext, CommandInput } from "../kit/command.ts";
import { optional, readChoice, readCurrency, wrongUsage } from "../kit/option-values.ts";
import { openPiecewiseFile } from "../kit/piecewise-file.ts";

export type RegisterInput = {
  readonly portions: AsyncIterable<Result<readonly RegisterItem[], string>>;
  /** How much of the file was read: from 0 to 1. */
  readonly share: () => number;
};

const ENCODINGS = ["utf-8", "windows-1251"] as const satisfies readonly TextEncoding[];

/** A provider's register, read piece by piece by the mapping that the options give. */
export function openRegisterInput(context: CliContext, input: CommandInput, path: string): RegisterInput {
  const mapping = readMapping(input);
  const encoding = optional(input, "encoding", (text, name) => readChoice(text, name, ENCODINGS)) ?? "utf-8";
  const { bytes, share } = openPiecewiseFile(context, path);
  return { portions: readRegister(decodeText(bytes, encoding, "give --encoding windows-1251"), mapping), share };
}

async function* readRegister(
  texts: AsyncIterable<Result<string, string>>,
  mapping: RegisterMapping,
): AsyncGenerator<Result<readonly RegisterItem[], string>> {
  const reader = openRegister(mapping);
  for await (const text of texts) {
    const items = text.ok ? reader.push(text.value) : text;
    yield items;
    if (!items.ok) return;
  }
  yield reader.end();
}

function readMapping(input: CommandInput): RegisterMapping {
  const columns = optional(input, "columns", orUsage(readRegisterColumns));
  const statuses = optional(input, "statuses", orUsage(readRegisterStatuses));
  return {
    columns: columns ?? new Map(),
    statuses: statuses ?? PROTOCOL_STATUSES,
    amounts: input.flag("decimal") ? "decimal" : "minor",
    currency: optional(input, "currency", readCurrency),
  };
}

function orUsage<T>(read: (text: string) => Result<T, string>): (text: string, name: string) => T {
  return (text, name) => {
    const value = read(text);
    if (!value.ok) throw wrongUsage(`${name} ${value.error}.`);
    return value.value;
  };
}
