import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { HTTP_STATUS } from "../../src/api/errors.ts";
import { findTestCardBehaviour, TEST_CARDS } from "../../src/core/cards/test-cards.ts";
import { ERROR_CODES } from "../../src/core/errors.ts";
import {
  CARD_LIFETIME_S,
  CARD_UNKNOWN_MAX_S,
  CONFIRM_TIMEOUT_S,
  P2P_LIFETIME_S,
  PAYIN_GRACE_S,
  PAYOUT_TIMEOUT_S,
} from "../../src/core/payments/timers.ts";
import { payinScenario, payoutScenario } from "../../src/sandbox/requests/scenario.ts";
import { PAGE_SOURCES } from "../../web/docs/site/pages.ts";
import { readContractDocument } from "./contract.ts";
import { readDocument } from "./document-commands.ts";
import { listTables, rowsOf } from "./markdown-blocks.ts";

/** What the guides say, held to the code. */
const tablesOf = (guide: string) => listTables(readDocument(`docs/guides/${guide}.md`));

it("every guide of the repository is a page, and every page has a document", () => {
  const files = readdirSync(new URL("../../docs/guides/", import.meta.url)).map((file) => `docs/guides/${file}`);
  const shown = PAGE_SOURCES.map(({ file }) => file);
  expect(files.filter((file) => !shown.includes(file))).toEqual([]);
  for (const file of shown.filter((each) => each.startsWith("docs/guides/"))) expect(files).toContain(file);
});

describe("errors", () => {
  const rows = rowsOf(tablesOf("errors"), "Code", "HTTP", "What to do");

  it("are those of the code, each with its status and something to do", () => {
    expect(rows.map(([code]) => code).sort()).toEqual([...ERROR_CODES].sort());
    for (const [code = "", status, words = ""] of rows) {
      expect([code, Number(status)]).toEqual([code, HTTP_STATUS[code as keyof typeof HTTP_STATUS]]);
      expect(words.length).toBeGreaterThan(20);
    }
  });

  it("of members are those of the contract", () => {
    const { components } = readContractDocument() as {
      components: { schemas: { FieldError: { properties: { code: { enum: string[] } } } } };
    };
    const codes = rowsOf(tablesOf("errors"), "Code of a member").map(([code]) => code);
    expect(codes).toEqual(components.schemas.FieldError.properties.code.enum);
  });
});

it("the times of states are those of the code", () => {
  const told = rowsOf(tablesOf("states"), "What", "How long").map(([, span = ""]) =>
    [...span.matchAll(/\b(\d[\d,]*)\b/g)].map(([number]) => Number(number.replaceAll(",", ""))),
  );
  const lifetime = ({ min, max, standard }: { min: number; max: number; standard: number }) => [min, max, standard];
  expect(told).toEqual([
    lifetime(P2P_LIFETIME_S),
    lifetime(CARD_LIFETIME_S),
    [PAYIN_GRACE_S],
    [CONFIRM_TIMEOUT_S],
    [CARD_UNKNOWN_MAX_S],
    [PAYOUT_TIMEOUT_S.provider, PAYOUT_TIMEOUT_S.pool],
  ]);
});

describe("cases to test", () => {
  const rows = rowsOf(tablesOf("testing"), "Case", "How");

  it("use every special amount, and no ordinary one", () => {
    const special = (scenarioOf: (amount: bigint) => unknown) =>
      Array.from({ length: 100 }, (_, last) => last)
        .filter((last) => scenarioOf(BigInt(last)) !== scenarioOf(0n))
        .map((last) => String(last).padStart(2, "0"));
    const used = (isPayout: boolean) =>
      rows
        .filter(([name = ""]) => /payout/i.test(name) === isPayout)
        .flatMap(([, how = ""]) => (how.startsWith("amount ending") ? [...how.matchAll(/\b(\d\d)\b/g)] : []))
        .map(([, digits]) => digits);
    expect(used(false)).toEqual(special(payinScenario));
    expect(used(true)).toEqual(special(payoutScenario));
  });

  it("name cards of the sandbox, each for another behaviour", () => {
    const cards = rows.flatMap(([, how = ""]) => how.match(/\b\d{16}\b/g) ?? []);
    expect(cards.length).toBeGreaterThan(3);
    for (const card of cards) expect(TEST_CARDS).toContain(card);
    expect(new Set(cards.map(findTestCardBehaviour)).size).toBe(cards.length);
  });
});
