import { expectTypeOf, it } from "vitest";
import type { PageView } from "../../src/app/page/widget-page.ts";
import type { View } from "../../web/widget/page-state.ts";

/** The browser's part imports nothing of the server's, so `npm run types` compares the two here. */
it("draws what the server sends", () => {
  // The requisites are those of the contract, which other tests hold the answers to.
  expectTypeOf<Omit<PageView, "requisites">>().toExtend<Omit<View, "requisites">>();
});
