// Turns schemas of docs/openapi.yaml into the tables that the SDK holds answers to; sdk/src/shape.ts says how they read.
import { resolve, typeBesideNull } from "./type-text.mjs";

export function shapeText(schemas, schema) {
  if (schema.$ref !== undefined) return shapeText(schemas, resolve({ schemas }, schema));
  if (schema.anyOf !== undefined) return kindText(schema.anyOf.map(({ type }) => type));
  const type = typeBesideNull(schema);
  if (type === "object") return objectText(schemas, schema);
  if (type === "array") return `[${shapeText(schemas, schema.items)}]`;
  return kindText([schema.type].flat());
}

function kindText(types) {
  const kind = types.join("|");
  if (["string", "string|null", "integer", "integer|string", "boolean"].includes(kind)) return JSON.stringify(kind);
  throw new Error(`the SDK's tables have no ${kind}`);
}

function objectText(schemas, { properties = {}, required = [] }) {
  const members = Object.entries(properties).map(([name, schema]) => {
    const key = required.includes(name) ? name : `${name}?`;
    return `${JSON.stringify(key)}: ${shapeText(schemas, schema)},`;
  });
  return `{\n${members.join("\n")}\n}`;
}
