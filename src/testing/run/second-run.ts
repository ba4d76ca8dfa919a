/**
 * Test files that `npm test` leaves to `npm run test:stress`, which runs them whole. Continuous integration runs both.
 *
 * `npm test` tries every rule, every endpoint and every kind of page once, in five minutes. The files here try the same rules again through
 * another door, which costs a browser, a second gateway or a program of its own: the widths, themes and keys of pages; payments through another
 * Tillgate; the commands of documents and examples as they are written; roles and crashes of separate processes.
 */
export const SECOND_RUN: readonly string[] = [
  // Pages. `npm test` has every way to pay, the tester's desk, the documentation, and the account's sign-in.
  "test/browser/account-callbacks.test.ts",
  "test/browser/account-hostile.test.ts",
  "test/browser/account-keys.test.ts",
  "test/browser/account-log.test.ts",
  "test/browser/account-pay-out.test.ts",
  "test/browser/account-people.test.ts",
  "test/browser/account-reports.test.ts",
  "test/browser/account-settings.test.ts",
  "test/browser/challenge.test.ts",
  "test/browser/docs-console.test.ts",
  "test/browser/pay-accessible.test.ts",
  "test/browser/pay-again.test.ts",
  "test/browser/pay-bank.test.ts",
  "test/browser/pay-embed.test.ts",
  "test/browser/pay-form.test.ts",
  "test/browser/pay-keyboard.test.ts",
  "test/browser/pay-languages.test.ts",
  "test/browser/pay-page.test.ts",
  "test/browser/pay-trust.test.ts",
  "test/browser/widget-document.test.ts",
  // Two gateways. `npm test` has the connector against a second gateway, with both conformance suites.
  "test/e2e/configured-provider.test.ts",
  "test/e2e/upstream-canary.test.ts",
  "test/e2e/upstream-cards.test.ts",
  "test/e2e/upstream-page.test.ts",
  "test/e2e/upstream-payins.test.ts",
  "test/e2e/upstream-payouts.test.ts",
  // Documents and examples. `npm test` has README, the quick start's commands and what documents say of the contract.
  "sdk/test/package.test.ts",
  "test/contract/conformance-command.test.ts",
  "test/e2e/cards-document.test.ts",
  "test/e2e/cards-through-sdk.test.ts",
  "test/e2e/developer-commands.test.ts",
  "test/e2e/example-shop.test.ts",
  "test/e2e/examples.test.ts",
  "test/e2e/pool-document.test.ts",
  "test/e2e/providers-document.test.ts",
  "test/e2e/sandbox-document.test.ts",
  "test/e2e/sandbox-through-sdk.test.ts",
  "test/e2e/second-chance-walks.test.ts",
  // Programs of their own: `npm test` starts the service in them, and takes its database away.
  "src/store/embedded/embedded.test.ts",
  "test/deploy/haproxy.test.ts",
  "test/e2e/callbacks-for-people.test.ts",
  "test/e2e/card-processes.test.ts",
  "test/e2e/command-line.test.ts",
  "test/e2e/database-away.test.ts",
  "test/e2e/operator.test.ts",
  "test/e2e/p2p-magic-values.test.ts",
  "test/e2e/run-time-role.test.ts",
  "test/e2e/sandbox-api.test.ts",
  "test/e2e/sandbox-doors.test.ts",
  "test/e2e/sandbox-process.test.ts",
];

/** These have a long form with everything that a short one would try. */
export const LONG_FORM_ONLY: readonly string[] = [
  "src/worker/callbacks/callback-outage.test.ts",
  "test/e2e/upstream-faults.test.ts",
  "test/e2e/upstream-kill.test.ts",
];

/** Long tests that wait more than they work, so that others may run beside them: the package, installed for each version of Node, is one. */
export const NOT_ALONE: readonly string[] = [
  "test/e2e/package.test.ts",
  "test/stress/desk-walks.test.ts",
  "test/stress/restored-backup.test.ts",
];
