import { randomBytes } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import type { ConformanceWorld } from "../../src/connectors/conformance.ts";
import { newReference } from "../../src/connectors/conformance.ts";
import type { Connector } from "../../src/core/connector.ts";
import type { Currency } from "../../src/core/currency.ts";
import type { Minor } from "../../src/core/money.ts";
import { Secret } from "../../src/platform/secret.ts";
import { openAcmeServer } from "./acme-server.ts";
import { type AcmeConnector, openAcmeConnector } from "./connector.ts";

const RUB = "RUB" as Currency;
const HOUR_MS = 3_600_000;
/** Long enough for a machine with much else to do, and too short for an answer that never comes. */
const TIMEOUT_MS = 20_000;
const IMPATIENT_MS = 400;
const ENDS = { approved: "paid", declined: "refused", may_have_left: "failed", receiver_wrong: "wrong_card" } as const;
const CUSTOMER = { id: "customer-1" };

type Opened = Record<"usual" | "impatient" | "unreachable" | "stranger" | "hourLater", AcmeConnector>;

/** Acme Pay, and connectors to it, for the conformance suite. `change` is given every connector before the suite is. */
export function useAcmeWorld(change: (connector: Connector) => Connector = (connector) => connector): ConformanceWorld {
  const secret = randomBytes(16).toString("hex");
  const acme = openAcmeServer(secret);
  let opened: Opened | undefined;

  beforeAll(async () => {
    await acme.start();
    const options = { code: "acme", baseUrl: acme.url(), secret: new Secret(secret), timeoutMs: TIMEOUT_MS };
    opened = {
      usual: openAcmeConnector(options),
      impatient: openAcmeConnector({ ...options, timeoutMs: IMPATIENT_MS }),
      unreachable: openAcmeConnector({ ...options, baseUrl: "http://127.0.0.1:1" }),
      stranger: openAcmeConnector({ ...options, secret: new Secret("another") }),
      hourLater: openAcmeConnector({ ...options, clock: { nowMs: () => Date.now() + HOUR_MS } }),
    };
  });
  afterAll(async () => {
    await Promise.all(Object.values(opened ?? {}).map((connector) => connector.close()));
    await acme.close();
  });

  const open = (which: keyof Opened) => () => {
    if (opened === undefined) throw new Error("opened before the tests");
    return change(opened[which]);
  };
  const terms = { projectId: "conformance", method: "card-p2p", amount: 250_000n as Minor, currency: RUB } as const;

  const world: ConformanceWorld = {
    connector: open("usual"),
    impatient: open("impatient"),
    unreachable: open("unreachable"),
    trouble: async (kind, reference) => acme.loseNext(reference, kind),
    troubleBefore: async (reference) => acme.loseNext(reference, "before"),
    payin: (reference, wish) => {
      if (wish === "no_requisites") acme.books.plan(reference, "refused");
      const expiresAt = new Date(Date.now() + 900_000);
      return { reference, ...terms, bank: undefined, expiresAt, lifetimeS: 900, customer: CUSTOMER };
    },
    payout: (reference, wish) => {
      if (wish === "declined") acme.books.plan(reference, "refused");
      const receiver = { type: "card", pan: "2200000000000053", holder: undefined } as const;
      return { reference, ...terms, receiver, customer: CUSTOMER };
    },
    moneyArrives: async (reference, amount) => acme.books.credit(reference, Number(amount)),
    payoutEnds: async (reference, end) => acme.books.end(reference, ENDS[end]),
    payinIsDeclined: async (reference) => acme.books.end(reference, "withdrawn"),
    listLeft: async (reference) => acme.books.listPaid(reference).map((amount) => BigInt(amount) as Minor),
    notifications: {
      connector: open("usual"),
      stranger: open("stranger"),
      hourLater: open("hourLater"),
      takeNotification: async () => {
        const request = world.payin(newReference(), "usual");
        await world.connector().askForRequisites(request);
        await world.moneyArrives(request.reference, request.amount);
        const notification = acme.events.find(({ rawBody }) => rawBody.includes(request.reference));
        if (notification === undefined) throw new Error("Acme Pay did not notify");
        return { notification, subject: { direction: "payin", reference: request.reference } };
      },
    },
  };
  return world;
}
