/** 3-D Secure 2: a form with `creq` and `threeDSSessionData` goes to `acs_url`. */
export type ThreeDs2 = {
  readonly version: "2.2.0";
  readonly acs_url: string;
  readonly creq: string;
  readonly three_ds_session_data: string;
};

/** 3-D Secure 1: a form with `PaReq`, `MD` and `TermUrl` goes to `acs_url`. */
export type ThreeDs1 = {
  readonly version: "1.0.2";
  readonly acs_url: string;
  readonly pa_req: string;
  readonly md: string;
  readonly term_url: string;
};

/** Decide by `version`, or let `issuerForm` do it. A version that you do not know goes by `redirect_url`. */
export type ThreeDs = ThreeDs2 | ThreeDs1;

/** Where the payer's browser goes on, for the products that need it. */
export type Integration = {
  readonly form_url?: string;
  /** A page of the service that takes the payer to the bank and back: most shops use it. */
  readonly redirect_url?: string;
  /** The issuer's own terms, for those who send the payer there themselves. */
  readonly three_ds?: ThreeDs;
};

export const INTEGRATION_SHAPE = {
  "form_url?": "string",
  "redirect_url?": "string",
  "three_ds?": {
    version: "string",
    acs_url: "string",
    "creq?": "string",
    "three_ds_session_data?": "string",
    "pa_req?": "string",
    "md?": "string",
    "term_url?": "string",
  },
} as const;

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
