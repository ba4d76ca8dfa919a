import type { Example, Field, Operation } from "../operations.ts";
import {
  type Contract,
  type Answer as ContractAnswer,
  isSigned,
  listOperations,
  type NamedOperation,
  type OrRef,
  resolve,
} from "./contract.ts";
import { fieldOf, flatten, listFields } from "./schema.ts";

/** The operations as the page's scripts get them. */
export function describeOperations(contract: Contract): Operation[] {
  return listOperations(contract).map((operation) => describeOperation(contract, operation));
}

function describeOperation(contract: Contract, operation: NamedOperation): Operation {
  const { operationId = operation.anchor, anchor, path, summary = "", tags = [] } = operation;
  return {
    ...{ id: operationId, anchor, path, title: summary, tag: tags[0] ?? "" },
    method: operation.method === "GET" ? "GET" : "POST",
    isSigned: isSigned(contract, operation),
    fields: bodyFields(contract, operation).map(({ name, type, isRequired }) => ({ name, type, isRequired })),
    examples: bodyExamples(contract, operation),
  };
}

export function bodyFields(contract: Contract, operation: NamedOperation): Field[] {
  const [media] = Object.values(operation.requestBody?.content ?? {});
  return media?.schema === undefined ? [] : listFields(contract, media.schema);
}

export function bodyExamples(contract: Contract, operation: NamedOperation): Example[] {
  return Object.values(operation.requestBody?.content ?? {}).flatMap(({ examples }) =>
    listExamples(contract, examples),
  );
}

export function listExamples(
  contract: Contract,
  examples: Readonly<Record<string, OrRef<{ readonly summary?: string; readonly value?: unknown }>>> = {},
): Example[] {
  return Object.entries(examples).map(([name, found]) => {
    const { summary = name, value } = resolve(contract, found);
    return { name, summary, body: value };
  });
}

/** The error codes that an answer can carry. */
export function codesOf(contract: Contract, answer: ContractAnswer): string[] {
  return Object.values(answer.content ?? {}).flatMap(({ schema = {} }) => {
    const code = flatten(contract, schema).properties?.code;
    const { enum: list, const: only } = code === undefined ? {} : flatten(contract, code);
    return [...(list ?? []), ...(only === undefined ? [] : [only])].map(String);
  });
}

/** Those that the body's type and the security ask for belong to the headers that must be sent, as parameters do. */
export function listHeaders(contract: Contract, operation: NamedOperation): Field[] {
  const types = Object.keys(operation.requestBody?.content ?? {});
  const parameters = (operation.parameters ?? []).map((parameter) => resolve(contract, parameter));
  const schemes = (operation.security ?? contract.security ?? []).flatMap((requirement) => Object.keys(requirement));
  return [
    ...types.map((type) => fieldOf(contract, "content-type", { type: "string", const: type }, true)),
    ...parameters
      .filter((each) => each.in === "header")
      .map(({ name, schema = {}, required = false, description = "" }) => ({
        ...fieldOf(contract, name, schema, required),
        description,
      })),
    ...schemes.flatMap((name) => {
      const { name: header, in: place, description = "" } = contract.components?.securitySchemes?.[name] ?? {};
      if (header === undefined || place !== "header") return [];
      return [{ ...fieldOf(contract, header, { type: "string" }, true), description }];
    }),
  ];
}
