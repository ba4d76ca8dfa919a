import type { ThreeDs } from "./contract-answers.ts";
import type { ThreeDsResult } from "./contract-requests.ts";
import { TillgateError } from "./errors.ts";

/** A form for the payer's browser to post. Escape what you put into a page. */
export type IssuerForm = { readonly action: string; readonly fields: Readonly<Record<string, string>> };

/** For shops that send the payer to the issuer themselves: where the form goes, and its fields as the issuer names them. */
export function issuerForm(threeDs: ThreeDs): IssuerForm {
  switch (threeDs.version) {
    case "2.2.0":
      return {
        action: threeDs.acs_url,
        fields: { creq: threeDs.creq, threeDSSessionData: threeDs.three_ds_session_data },
      };
    case "1.0.2":
      return {
        action: threeDs.acs_url,
        fields: { PaReq: threeDs.pa_req, MD: threeDs.md, TermUrl: threeDs.term_url },
      };
    default:
      throw new TillgateError("this version of 3-D Secure is not known here: send the payer to redirect_url");
  }
}

/**
 * What `confirmThreeDs` takes, out of the form that the payer's browser posted to your `redirect_url`; undefined when
 * there is none in it, as when the payer came back by a link.
 */
export function threeDsResult(form: URLSearchParams | Readonly<Record<string, unknown>>): ThreeDsResult | undefined {
  const field = (name: string): string | undefined => {
    const value: unknown = form instanceof URLSearchParams ? form.get(name) : Object.hasOwn(form, name) && form[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const cres = field("cres");
  if (cres !== undefined) return { cres };
  const [pa_res, md] = [field("PaRes"), field("MD")];
  return pa_res !== undefined && md !== undefined ? { pa_res, md } : undefined;
}
