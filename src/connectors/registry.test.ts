import { expect, it } from "vitest";
import type { Connector } from "../core/connector.ts";
import { openRegistry } from "./registry.ts";

const sandbox = { code: "sandbox" } as Connector;
const bank = { code: "bank" } as Connector;

it("finds a connector by its code, and lists all in their order", () => {
  const registry = openRegistry([sandbox, bank]);
  expect(registry.find("bank")).toBe(bank);
  expect(registry.find("constructor")).toBeUndefined();
  expect(registry.list()).toEqual([sandbox, bank]);
});

it("does not take two with the same code", () => {
  expect(() => openRegistry([sandbox, sandbox])).toThrow(/same code/);
});
