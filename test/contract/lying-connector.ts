import { useAcmeWorld } from "../../examples/connector/acme-world.ts";
import { describeConformance } from "../../src/connectors/conformance.ts";

/**
 * The example with the worst mistake that a connector can make: a payout whose answer was lost is called declined, so it would be
 * sent again by another route. Not a test of ours: conformance-command.test.ts expects the suite to find the mistake.
 */
describeConformance(
  "lying",
  useAcmeWorld((connector) => ({
    ...connector,
    sendPayout: async (request) => {
      const outcome = await connector.sendPayout(request);
      return outcome.kind === "unknown" ? { kind: "declined", reason: "other" } : outcome;
    },
  })),
);
