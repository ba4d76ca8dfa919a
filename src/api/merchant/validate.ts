import type { TSchema } from "typebox";
import { Compile } from "typebox/schema";
import { Settings } from "typebox/system";
import type { FieldFault, FieldFaultCode } from "../../core/errors.ts";
import type { JsonValue } from "../../platform/strict-json.ts";
import { findPatternWords } from "./text-forms.ts";

/** Checks a body against its schema and lists every wrong member, with words that say what to do. */
export type Validate = (body: JsonValue) => readonly FieldFault[];

/** More than a developer fixes at once, and few enough that no body can make the answer large. */
export const FAULTS_MAX = 100;

// The library stops at eight by itself. Each member has at most a few errors.
Settings.Set({ maxErrors: FAULTS_MAX * 4 });

export function compileValidator(schema: TSchema): Validate {
  const compiled = Compile(schema);
  return (body) => {
    if (compiled.Check(body)) return [];
    const [, errors] = compiled.Errors(body);
    const faults = errors.flatMap(faultsOf).slice(0, FAULTS_MAX);
    // What was refused stays refused, even if no error could be put into words.
    return faults.length > 0
      ? faults
      : [{ field: "", code: "not_allowed", message: "the body does not fit the contract" }];
  };
}

/** Both lists at once. Of a member that the schema refuses already, the rules need not speak too. */
export function withRules(bySchema: Validate, byRules: Validate): Validate {
  return (body) => {
    const faults = bySchema(body);
    if (faults.length === 0) return byRules(body).slice(0, FAULTS_MAX);
    const named = new Set(faults.map(({ field }) => field));
    return [...faults, ...byRules(body).filter(({ field }) => !named.has(field))].slice(0, FAULTS_MAX);
  };
}

type SchemaError = {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message: string;
};

function faultsOf(error: SchemaError): FieldFault[] {
  const field = fieldOf(error.instancePath);
  switch (error.keyword) {
    // The library reports each unknown member alone, and then all of them again.
    case "boolean":
      return [{ field, code: "unknown_member", message: "is not a known member" }];
    case "additionalProperties":
      return [];
    case "required":
      return names(error.params.requiredProperties).map((name) => at(field, name, "required", "is required"));
    default:
      return [{ field, ...describe(error) }];
  }
}

function describe(error: SchemaError): { code: FieldFaultCode; message: string } {
  const limit = String(error.params.limit ?? error.params.comparison ?? "");
  switch (error.keyword) {
    case "type":
      return { code: "wrong_type", message: `must be ${withArticle(String(error.params.type))}` };
    case "minLength":
      return {
        code: "too_short",
        message: `must have at least ${limit} ${limit === "1" ? "character" : "characters"}`,
      };
    case "maxLength":
      return { code: "too_long", message: `must have at most ${limit} characters` };
    case "minimum":
      return { code: "too_small", message: `must be at least ${limit}` };
    case "maximum":
      return { code: "too_big", message: `must be at most ${limit}` };
    case "pattern":
      return {
        code: "bad_format",
        message: findPatternWords(String(error.params.pattern)) ?? "does not have the required form",
      };
    case "enum":
      return { code: "not_allowed", message: `must be ${names(error.params.allowedValues).join(" or ")}` };
    default:
      return { code: "not_allowed", message: "is not one of the allowed values" };
  }
}

function withArticle(type: string): string {
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;
}

function at(field: string, name: string, code: FieldFaultCode, message: string): FieldFault {
  return { field: field === "" ? shorten(name) : `${field}.${shorten(name)}`, code, message };
}

const SHOWN_NAME_MAX = 64;

function shorten(name: string): string {
  return name.slice(0, SHOWN_NAME_MAX);
}

/** `/payment/amount` → `payment.amount`. */
function fieldOf(instancePath: string): string {
  return instancePath
    .split("/")
    .slice(1)
    .map((part) => shorten(part.replaceAll("~1", "/").replaceAll("~0", "~")))
    .join(".");
}

function names(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
