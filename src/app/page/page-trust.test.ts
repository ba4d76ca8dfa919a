import { expect, it } from "vitest";
import { systemClock } from "../../platform/clock.ts";
import { findProject } from "../../store/merchants/projects.ts";
import { findPayment } from "../../store/payments/payments.ts";
import { aPayin } from "../../testing/builders/payments.ts";
import { aProject } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import type { Directory, DirectoryProject } from "../merchants/directory.ts";
import { viewPage, type WidgetPageDeps } from "./widget-page.ts";

const { db } = useTestDatabase();

const DEPS = {
  ...{ db, clock: systemClock, mode: "production", operatorName: undefined },
  publicUrl: () => "https://pay.example",
  redirectUrlOf: () => undefined,
} as unknown as WidgetPageDeps;

async function viewIn(book: "test" | "live", deps: Partial<WidgetPageDeps> = {}) {
  const { projectId } = await aProject(db, book);
  const { requestId } = await aPayin(db, [{ kind: "cancelled" }], { projectId });
  const payment = await findPayment(db, projectId, requestId);
  const project = (await findProject(db as never, projectId)) as unknown as DirectoryProject;
  if (payment === undefined) throw new Error("there is no payment");
  return viewPage({ ...DEPS, ...deps }, { payment, project, directory: {} as Directory });
}

it("says that no real money moves of a test project, and of no other", async () => {
  expect((await viewIn("test")).test).toBe(true);
  expect(await viewIn("live")).not.toHaveProperty("test");
});

it("names neither a contact nor an operator where there is none", async () => {
  const view = await viewIn("live");
  expect(view).not.toHaveProperty("operator");
  expect(view.shop).toEqual({ name: "Web", accent: null, logo: false });
  expect(view).not.toHaveProperty("receipt");
  expect((await viewIn("live", { operatorName: "Gate LLC" })).operator).toEqual({ name: "Gate LLC" });
});
