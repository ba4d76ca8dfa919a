import { CALLBACK_ROUTES } from "./callbacks/routes.ts";
import { FACTOR_ROUTES } from "./factors.ts";
import { OVERVIEW_ROUTES } from "./overview.ts";
import { PASSKEY_ROUTES } from "./passkeys.ts";
import { PASSWORD_ROUTES } from "./password.ts";
import { PAYMENT_ROUTES } from "./payments.ts";
import type { AccountRoute } from "./route.ts";
import { SESSION_ROUTES } from "./sessions.ts";
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
  ...CALLBACK_ROUTES,
];
