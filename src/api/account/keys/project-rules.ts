import { Type } from "typebox";
import { changeProject } from "../../../app/merchants/change-project.ts";
import { isAddressOrNetwork } from "../../../core/merchants/network.ts";
import { accountFault } from "../../../core/people/account-fault.ts";
import { fail, ok } from "../../../core/result.ts";
import { CLOSED } from "../../merchant/blocks.ts";
import { idOf, post } from "../route.ts";

const ADDRESSES_MAX = 100;
/** Longer than any address with the length of its network. */
const ADDRESS_LENGTH_MAX = 64;

const rules = {
  scheme2_only: Type.Boolean(),
  allowed_ips: Type.Array(Type.String({ maxLength: ADDRESS_LENGTH_MAX }), { maxItems: ADDRESSES_MAX }),
};

/** Which calls a project accepts: from which addresses, and signed by which scheme. */
export const PROJECT_RULE_ROUTES = [
  post({
    path: "projects/:id/rules",
    right: "keys.manage",
    stepUp: true,
    body: Type.Object({ ...rules, seen: Type.Object(rules, CLOSED) }, CLOSED),
    handler: async (deps, { merchantId, actor, params, body }) => {
      const wrong = body.allowed_ips.findIndex((address) => !isAddressOrNetwork(address));
      if (wrong !== -1) {
        const message = "must be an address or a network, such as 192.0.2.7 or 192.0.2.0/24";
        const field = { field: `allowed_ips.${wrong}`, code: "bad_format" as const, message };
        return fail({ ...accountFault("address_invalid", `${field.field} ${message}`), fields: [field] });
      }
      const settings = { scheme2Only: body.scheme2_only, allowedIps: [...new Set(body.allowed_ips)] };
      const seen = { scheme2Only: body.seen.scheme2_only, allowedIps: body.seen.allowed_ips };
      const change = { merchantId, projectId: idOf(params.id), actor, action: "project.rules", settings, seen };
      const changed = await changeProject(deps.db, change);
      return changed.ok ? ok({ json: {} }) : changed;
    },
  }),
];
