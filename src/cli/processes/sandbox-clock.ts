import { moveClock } from "../../app/payments/move-clock.ts";
import { CliFault, type Command, EXIT } from "../kit/command.ts";
import { positional, readId, readInteger } from "../kit/option-values.ts";
import { projectUnknown } from "../merchants/project-view.ts";

const SECONDS_MAX = 30 * 86_400;

export const sandboxClock: Command = {
  name: "sandbox clock",
  summary: "Advance a test project's clock: lifetimes, payouts and callbacks become due that much sooner.",
  arguments: ["PROJECT", "SECONDS"],
  options: {},
  notes: ["Example, to see a payment expire: {program} sandbox clock PROJECT 900"],
  run: async (context, input) => {
    const projectId = readId(positional(input, 0), "PROJECT");
    const seconds = readInteger(positional(input, 1), "SECONDS", 1, SECONDS_MAX);
    return context.withDatabase(async (db) => {
      const moveSandboxClock = await context.findSandboxClock(db);
      if (moveSandboxClock === undefined) {
        throw new CliFault("No sandbox is running. Start the service first.", EXIT.unavailable);
      }
      const result = await moveClock({ db, moveSandboxClock }, projectId, seconds);
      if (result.ok) {
        context.print(`Moved ${result.value.moved} payments of project ${projectId} on by ${seconds} s.`);
        return EXIT.done;
      }
      if (result.error === "project_unknown") throw projectUnknown(projectId);
      if (result.error === "project_live") throw new CliFault("This is a live project: its clock cannot be changed.");
      throw new CliFault("The sandbox does not answer. Is the service running on this machine?", EXIT.unavailable);
    });
  },
};
