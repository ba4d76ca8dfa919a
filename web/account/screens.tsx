import type { ComponentChildren } from "preact";
import { ICONS } from "./parts/icons.ts";
import { Audit } from "./screens/audit.tsx";
import { Balance } from "./screens/balance.tsx";
import { Callbacks } from "./screens/callbacks/callbacks.tsx";
import { Overview } from "./screens/overview.tsx";
import { Payment } from "./screens/payment.tsx";
import { Payments } from "./screens/payments.tsx";
import { Security } from "./screens/security.tsx";
import { Team } from "./screens/team.tsx";
import type { Right } from "./wire/people.ts";
import type { en } from "./words/en.ts";

type NavName = Exclude<keyof typeof en.nav, "label" | "more" | "skip">;

/** Every screen: its place in the address and in the menu, and the right that it needs. */
export type ScreenRow = {
  readonly name: NavName;
  readonly path: string;
  readonly icon: string;
  /** Undefined: every person has their own. */
  readonly right: Right | undefined;
  /** It shows what the chosen project has. */
  readonly isOfProject: boolean;
  readonly draw: (id: string | undefined) => ComponentChildren;
};

export const SCREENS: readonly ScreenRow[] = [
  {
    ...{ name: "overview", path: "", icon: ICONS.overview, right: "payments.read", isOfProject: true },
    draw: () => <Overview />,
  },
  {
    ...{ name: "payments", path: "payments", icon: ICONS.payments, right: "payments.read", isOfProject: true },
    draw: (id) =>
      id === undefined ? <Payments key="payin" direction="payin" /> : <Payment key={id} id={id} direction="payin" />,
  },
  {
    ...{ name: "payouts", path: "payouts", icon: ICONS.payouts, right: "payments.read", isOfProject: true },
    draw: (id) =>
      id === undefined ? <Payments key="payout" direction="payout" /> : <Payment key={id} id={id} direction="payout" />,
  },
  {
    ...{ name: "balance", path: "balance", icon: ICONS.balance, right: "statement.read", isOfProject: true },
    draw: () => <Balance />,
  },
  {
    ...{ name: "team", path: "team", icon: ICONS.team, right: "team.read", isOfProject: false },
    draw: () => <Team />,
  },
  {
    ...{ name: "security", path: "security", icon: ICONS.security, right: undefined, isOfProject: false },
    draw: () => <Security />,
  },
  {
    ...{ name: "audit", path: "audit", icon: ICONS.audit, right: "audit.read", isOfProject: false },
    draw: () => <Audit />,
  },
  {
    ...{
      name: "callbacks",
      path: "callbacks",
      icon: ICONS.callbacks,
      right: "callbacks.manage",
      isOfProject: true,
    },
    draw: () => <Callbacks />,
  },
];

const WITH_ID: readonly NavName[] = ["payments", "payouts"];

export type FoundScreen = { readonly row: ScreenRow; readonly id: string | undefined };

export function findScreen(path: string): FoundScreen | undefined {
  const [first = "", id, ...rest] = path.split("/");
  const row = SCREENS.find((each) => each.path === first);
  if (row === undefined || rest.length > 0) return undefined;
  return id === undefined || WITH_ID.includes(row.name) ? { row, id } : undefined;
}
