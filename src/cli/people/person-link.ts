import { beginPasswordReset, resetLink } from "../../app/people/change-password.ts";
import { invitationLink, invite } from "../../app/people/invite.ts";
import { removeFactorsOf } from "../../app/people/manage-factors.ts";
import { ROLES } from "../../core/people/rights.ts";
import { systemClock } from "../../platform/clock.ts";
import { CliFault, type Command, EXIT } from "../kit/command.ts";
import { positional, readId, requiredText } from "../kit/option-values.ts";
import { printJson } from "../kit/output.ts";
import { readEmail, readRole } from "./person-values.ts";

/** Links that an operator hands to a person: the first owner of a merchant, or one who can't sign in any more. */

export const personInvite: Command = {
  name: "person invite",
  summary: "Invite a person to a merchant's team, and print the link.",
  arguments: ["EMAIL"],
  options: {
    merchant: { type: "string", value: "ID", help: "the merchant whose account the person opens" },
    role: { type: "string", value: "ROLE", words: ROLES, help: "owner, developer, accountant or viewer" },
    json: { type: "boolean", help: "print the invitation as JSON" },
  },
  notes: [
    "The link works once, for 72 hours, for anyone who has it: send it to that person only.",
    "Example: {program} person invite anna@shop.example --merchant ID --role owner",
  ],
  run: (context, input) => {
    const email = readEmail(positional(input, 0), "EMAIL");
    const merchantId = readId(requiredText(input, "merchant"), "--merchant");
    const role = readRole(requiredText(input, "role"), "--role");
    const actor = { kind: "operator", name: context.actor } as const;
    return context.withDatabase(async (db) => {
      const invited = await invite(db, { merchantId, email, role, actor, now: new Date(systemClock.nowMs()) });
      if (!invited.ok) throw new CliFault(`No invitation was made: ${invited.error.message}.`);
      const link = invitationLink(context.publicUrl ?? "", invited.value.token);
      if (input.flag("json")) printJson(context, { invitation_id: invited.value.id, email, role, link });
      else context.print(`Invited ${email} as ${role}. The link works once, for 72 hours:\n${link}`);
      return EXIT.done;
    });
  },
};

export const personReset: Command = {
  name: "person reset",
  summary: "Print a link with which a person chooses a new password.",
  arguments: ["EMAIL"],
  options: {
    "second-factor": { type: "boolean", help: "also remove the second factors, for a person who lost them" },
    json: { type: "boolean", help: "print the link as JSON" },
  },
  notes: [
    "The link works once, for one hour. Make sure who asks for it: it opens the account.",
    "Example: {program} person reset anna@shop.example",
  ],
  run: (context, input) => {
    const email = readEmail(positional(input, 0), "EMAIL");
    const actor = { kind: "operator", name: context.actor } as const;
    return context.withDatabase(async (db) => {
      const begun = await beginPasswordReset(db, email, new Date(systemClock.nowMs()), actor);
      if (begun === undefined) throw new CliFault(`There is no person with the address ${email}.`);
      const removed = input.flag("second-factor");
      if (removed) await removeFactorsOf(db, email, actor);
      const link = resetLink(context.publicUrl ?? "", begun.token);
      if (input.flag("json")) printJson(context, { email, link, second_factor_removed: removed });
      else
        context.print(
          `${removed ? "The second factors are removed. " : ""}The link works once, for one hour:\n${link}`,
        );
      return EXIT.done;
    });
  },
};
