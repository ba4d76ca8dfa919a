import { expect, it } from "vitest";
import { splitStatements } from "./split-statements.ts";

it.each([
  ["", []],
  ["select 1", ["select 1"]],
  ["select 1; select 2;", ["select 1", "select 2"]],
  ["-- a; comment\nselect 1;\n/* another; */ select 2 - 1", ["select 1", "select 2 - 1"]],
  ["select ';', 'it''s; so', \"a;b\"; select 2", ["select ';', 'it''s; so', \"a;b\"", "select 2"]],
  ["create function f() as $$ begin; end; $$; select 1", ["create function f() as $$ begin; end; $$", "select 1"]],
  ["do $x$ a; $$ b; $$ c; $x$; select $1", ["do $x$ a; $$ b; $$ c; $x$", "select $1"]],
])("%j", (sql, statements) => {
  expect(splitStatements(sql)).toEqual(statements);
});
