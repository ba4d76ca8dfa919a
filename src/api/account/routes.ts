import type { AccountRoute } from "./route.ts";
import { SIGN_IN_ROUTES } from "./sign-in.ts";

/** Every call of the account. A row says who may call it; the tests try each row with every role, and without what it needs. */
export const ACCOUNT_ROUTES: readonly AccountRoute[] = [...SIGN_IN_ROUTES];
