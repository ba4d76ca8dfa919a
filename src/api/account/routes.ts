import { CALLBACK_ROUTES } from "./callbacks/routes.ts";
import { FACTOR_ROUTES } from "./factors.ts";
import { KEY_ROUTES } from "./keys/keys.ts";
import { PROJECT_RULE_ROUTES } from "./keys/project-rules.ts";
import { OVERVIEW_ROUTES } from "./overview.ts";
import { PASSKEY_ROUTES } from "./passkeys.ts";
import { PASSWORD_ROUTES } from "./password.ts";
import { PAYMENT_ROUTES } from "./payments.ts";
import { PAYOUT_BATCH_ROUTES } from "./payout-batches/routes.ts";
import { REQUEST_LOG_ROUTES } from "./request-log/log.ts";
import type { AccountRoute } from "./route.ts";
import { SANDBOX_ROUTES } from "./sandbox.ts";
import { SESSION_ROUTES } from "./sessions.ts";
import { PAGE_SETTINGS_ROUTES } from "./settings/page-settings.ts";
import { PROFILE_ROUTES } from "./settings/profile.ts";
import { REVEAL_ROUTES } from "./settings/reveal.ts";
import { SIGN_IN_ROUTES } from "./sign-in.ts";
import { STATEMENT_ROUTES } from "./statement.ts";
import { TEAM_ROUTES } from "./team.ts";

/** Every call of the account. A row says who may call it; the tests try each row with every role, and without what it needs. */
export const ACCOUNT_ROUTES: readonly AccountRoute[] = [
  ...SIGN_IN_ROUTES,
  ...PASSWORD_ROUTES,
  ...FACTOR_ROUTES,
  ...PASSKEY_ROUTES,
  ...SESSION_ROUTES,
  ...TEAM_ROUTES,
  ...OVERVIEW_ROUTES,
  ...PAYMENT_ROUTES,
  ...STATEMENT_ROUTES,
  ...PAGE_SETTINGS_ROUTES,
  ...PROFILE_ROUTES,
  ...REVEAL_ROUTES,
  ...KEY_ROUTES,
  ...PROJECT_RULE_ROUTES,
  ...PAYOUT_BATCH_ROUTES,
  ...REQUEST_LOG_ROUTES,
  ...CALLBACK_ROUTES,
  ...SANDBOX_ROUTES,
];
