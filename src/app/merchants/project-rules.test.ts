import { describe, expect, it } from "vitest";
import type { Currency } from "../../core/currency.ts";
import { listProjectLimits } from "../../store/merchants/project-limits.ts";
import { listProjectRoutes } from "../../store/merchants/project-routes.ts";
import { aProject, minor, RUB } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { configureProject } from "./merchants.ts";

const { db } = useTestDatabase();

describe("limits of a day", () => {
  it("change one by one, and none takes one away", async () => {
    const { projectId } = await aProject(db);
    const places = [
      { direction: "payin" as const, currency: RUB },
      { direction: "payout" as const, currency: "KZT" as Currency },
    ];
    await configureProject(db, projectId, { limits: { places, changes: { countMax: 5, sumMax: minor(700) } } });
    await configureProject(db, projectId, {
      limits: { places: places.slice(0, 1), changes: { sumMax: null, customerCountMax: 0 } },
    });
    const none = { customerCountMax: null, customerSumMax: null };
    const own = (await listProjectLimits(db)).filter((limit) => limit.projectId === projectId);
    expect(own).toEqual([
      { projectId, ...places[0], countMax: 5, sumMax: null, customerCountMax: 0, customerSumMax: null },
      { projectId, ...places[1], countMax: 5, sumMax: 700n, ...none },
    ]);
  });
});

describe("routes", () => {
  const route = (providers: readonly string[]) => ({
    routes: [{ direction: "payin" as const, method: "card-p2p" as const, providers }],
  });

  it("are chosen, and given back to the default", async () => {
    const { projectId } = await aProject(db);
    expect(await configureProject(db, projectId, route(["sandbox"]))).toMatchObject({ ok: true });
    expect(await listProjectRoutes(db)).toEqual([
      { projectId, direction: "payin", method: "card-p2p", providers: ["sandbox"], rules: null },
    ]);
    await configureProject(db, projectId, route([]));
    expect(await listProjectRoutes(db)).toEqual([]);
  });

  it("never lead real money to the sandbox, nor anything to nobody, and then nothing is changed", async () => {
    const live = await aProject(db, "live");
    const wanted = { ...route(["sandbox"]), settings: { name: "Changed" } };
    expect(await configureProject(db, live.projectId, wanted)).toEqual({
      ok: false,
      error: { kind: "provider_of_other_book", provider: "sandbox", book: "live" },
    });
    const test = await aProject(db);
    expect(await configureProject(db, test.projectId, route(["sandbox", "nobody"]))).toEqual({
      ok: false,
      error: { kind: "provider_unknown", provider: "nobody", book: "test" },
    });
    const changed = await db.run({ text: "select from projects where name = 'Changed'" });
    expect(changed).toEqual([]);
    expect(await listProjectRoutes(db)).toEqual([]);
  });

  it("never lead to a provider that cannot serve the method", async () => {
    const { projectId } = await aProject(db, "live");
    const byPool = (direction: "payin" | "payout") => ({
      routes: [{ direction, method: "card-ecom" as const, providers: ["pool"] }],
    });
    expect(await configureProject(db, projectId, byPool("payin"))).toEqual({
      ok: false,
      error: { kind: "method_not_served", provider: "pool", direction: "payin", method: "card-ecom" },
    });
    expect((await listProjectRoutes(db)).filter((each) => each.projectId === projectId)).toEqual([]);
    expect(await configureProject(db, projectId, byPool("payout"))).toMatchObject({ ok: true });
  });
});
