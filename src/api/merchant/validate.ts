import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import type { FieldFault, FieldFaultCode } from "../../core/errors.ts";
import type { JsonValue } from "../../platform/strict-json.ts";

/** Checks a body against its schema and lists every wrong member, with words that say what to do. */
export type Validate = (body: JsonValue) => readonly FieldFault[];

export function compileValidator(schema: TSchema): Validate {
  const compiled = Compile(schema);
  return (body) => (compiled.Check(body) ? [] : compiled.Errors(body).flatMap(faultsOf));
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
    case "additionalProperties":
      return names(error.params.additionalProperties).map((name) =>
        at(field, name, "unknown_member", "is not a known member"),
      );
    case "required":
      return names(error.params.requiredProperties).map((name) => at(field, name, "required", "is required"));
    // The schema's own way of saying "unknown member" a second time.
    case "boolean":
      return [];
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
      return { code: "too_short", message: `must have at least ${limit} characters` };
    case "maxLength":
      return { code: "too_long", message: `must have at most ${limit} characters` };
    case "minimum":
      return { code: "too_small", message: `must be at least ${limit}` };
    case "maximum":
      return { code: "too_big", message: `must be at most ${limit}` };
    case "pattern":
      return { code: "bad_format", message: "does not have the required form" };
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
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .join(".");
}

function names(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
