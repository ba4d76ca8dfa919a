import { testMessage } from "../../app/alerts/alert-message.ts";
import { newId } from "../../platform/new-id.ts";
import { CliFault, type Command, EXIT } from "../kit/command.ts";

export const alertTest: Command = {
  name: "alert test",
  summary: "Send a test message to the addresses that messages about attention go to.",
  arguments: [],
  options: {},
  notes: [
    "The addresses are in TILLGATE_ALERT_EMAIL and TILLGATE_ALERT_WEBHOOK_URL. Exit code 1: a channel did not take it.",
    "Example: {program} alert test",
  ],
  run: async (context) => {
    const { channels, close } = await context.openAlertChannels();
    try {
      if (channels.length === 0)
        throw new CliFault("No channel is set: set TILLGATE_ALERT_EMAIL or TILLGATE_ALERT_WEBHOOK_URL.");
      const message = testMessage({ id: newId(), serviceUrl: context.publicUrl ?? "", now: new Date() });
      const faults: string[] = [];
      for (const { name, send } of channels) {
        const fault = await send(message);
        if (fault === undefined) context.print(`${name}: the message was taken.`);
        else faults.push(`${name}: the message was not taken: ${fault}.`);
      }
      for (const fault of faults) context.printError(fault);
      return faults.length === 0 ? EXIT.done : EXIT.refused;
    } finally {
      await close();
    }
  },
};
