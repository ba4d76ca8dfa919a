import { CALLBACK_LIST_ROUTES } from "./list.ts";
import { CALLBACK_SETTING_ROUTES } from "./settings.ts";
import { CALLBACK_TEST_ROUTES } from "./test.ts";

/** How callbacks of the merchant's projects are set up, how they fare, and what is sent again. */
export const CALLBACK_ROUTES = [...CALLBACK_LIST_ROUTES, ...CALLBACK_SETTING_ROUTES, ...CALLBACK_TEST_ROUTES];
