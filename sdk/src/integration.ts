import type { Integration, ThreeDs, ThreeDs1, ThreeDs2 } from "./contract-answers.ts";

const MEMBERS_OF_VERSION: ReadonlyMap<string, readonly string[]> = new Map<ThreeDs["version"], readonly string[]>([
  ["2.2.0", ["creq", "three_ds_session_data"] satisfies (keyof ThreeDs2)[]],
  ["1.0.2", ["pa_req", "md", "term_url"] satisfies (keyof ThreeDs1)[]],
]);

/** A challenge fits its shape and may still lack what its version is about. Other versions are let through. */
export function findIntegrationMisfit({ integration }: { readonly integration?: Integration }): string | undefined {
  const threeDs = integration?.three_ds;
  if (threeDs === undefined) return undefined;
  const missing = MEMBERS_OF_VERSION.get(threeDs.version)?.find((member) => !Object.hasOwn(threeDs, member));
  return missing === undefined ? undefined : `integration.three_ds.${missing}`;
}
