import { expect, it } from "vitest";
import type { CardAcquirer } from "../../core/card-acquirer.ts";
import { TEST_CARDS } from "../../core/cards/test-cards.ts";
import type { Connector } from "../../core/connector.ts";
import type { Book } from "../../core/merchants/book.ts";
import { newId } from "../../platform/new-id.ts";
import { minor, testKeyring } from "../../testing/builders/projects.ts";
import type { Directory, DirectoryProject } from "../merchants/directory.ts";
import { chooseMethod } from "./choose-method.ts";
import { type OpenPage, viewPage, type WidgetPageDeps } from "./widget-page.ts";

/** What the page is told of cards, and what it may leave out of one. Nothing here reaches a database. */
const NOW = Date.UTC(2030, 0, 1);
const LIVE_PAN = "5200828282828210";

function connectorOf(code: string, needsHolder: boolean): Connector {
  const cards = { needsHolder } as CardAcquirer;
  return { code, offers: () => true, cards } as unknown as Connector;
}

/** `plain` needs no name, `strict` does. */
const CONNECTORS = [connectorOf("sandbox", false), connectorOf("plain", false), connectorOf("strict", true)];

function depsOf(applied: object[] = []): WidgetPageDeps {
  return {
    findConnector: (code: string) => CONNECTORS.find((each) => each.code === code),
    clock: { nowMs: () => NOW },
    publicUrl: () => "https://pay.example",
    redirectUrlOf: () => undefined,
    mode: "production",
    apply: async (event: object) => {
      applied.push(event);
      return { ok: false };
    },
    keyring: undefined,
  } as unknown as WidgetPageDeps;
}

function openPage(book: Book, providers: readonly string[], paused: readonly string[] = []): OpenPage {
  const id = newId();
  const limits = { minAmount: minor(1), maxAmount: minor(1_000_000), feeBp: 0, feeFixed: minor(0) };
  const project = {
    ...{ id, book, name: "Shop", accent: null, logoType: null, widgetOrigins: [] },
    methods: [{ direction: "payin", method: "card-ecom", currency: "RUB", enabled: true, ...limits }],
    routes: [{ direction: "payin", method: "card-ecom", providers }],
  } as unknown as DirectoryProject;
  const payment = {
    ...{ projectId: id, requestId: newId(), paymentId: "order-1", state: "processing:new", method: null },
    ...{ currency: "RUB", requestedAmount: minor(5_000), request: {}, declineCode: null, requisites: null },
    ...{ expiresAt: null, deadlineAt: null, product: "widget", choiceCount: null },
  } as unknown as OpenPage["payment"];
  const pauses = { payouts: new Set(), methods: new Set(), providers: new Set(paused) };
  const directory = {
    projects: new Map([[id, project]]),
    banks: [],
    pauses,
    providers: new Map(),
  } as unknown as Directory;
  return { payment, project, directory };
}

it("a test project's page names every card of the sandbox; a live project's names none", async () => {
  const test = await viewPage(depsOf(), openPage("test", ["sandbox"]));
  expect(test.test).toBe(true);
  expect(test.test_cards?.map(({ pan }) => pan)).toEqual(TEST_CARDS);
  const live = await viewPage(depsOf(), openPage("live", ["plain"]));
  expect(live.methods).toHaveLength(1);
  expect(JSON.stringify(live)).not.toMatch(/test|4242/);
});

it.each([
  [["plain"], [], "none"],
  [["strict"], [], "required"],
  [["plain", "strict"], [], "required"],
  // The pause can end before the card is charged.
  [["plain", "strict"], ["strict"], "required"],
])("with acquirers %j, paused %j, the name is %s", async (providers, paused, holder) => {
  const { methods } = await viewPage(depsOf(), openPage("live", providers, paused));
  expect(methods).toEqual([{ code: "payin-ecom-card", card: true, holder }]);
});

it.each([
  ["strict", undefined, "validation_failed"],
  // As far as the payment itself, which says that it is over.
  ["strict", "OLGA", "wrong_state"],
  ["plain", undefined, "wrong_state"],
])("%s, with the name %s: %s", async (provider, holder, code) => {
  const { payment, project, directory } = openPage("live", [provider]);
  const applied: object[] = [];
  const card = { pan: LIVE_PAN, cvv: "123", holder, expiryMonth: 12, expiryYear: 2031 };
  const deps = { ...depsOf(applied), keyring: testKeyring() };
  const answer = await chooseMethod(deps, directory, project, payment, { kind: "card", card, browser: {} as never });
  expect(answer).toMatchObject({ ok: false, error: { code } });
  expect(applied).toHaveLength(code === "validation_failed" ? 0 : 1);
});
