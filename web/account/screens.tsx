import type { ComponentChildren } from "preact";
import { ICONS } from "./parts/icons.ts";
import { Audit } from "./screens/audit.tsx";
import { Balance } from "./screens/balance.tsx";
import { Callbacks } from "./screens/callbacks/callbacks.tsx";
import { Keys } from "./screens/keys/keys.tsx";
import { RequestLog } from "./screens/log/log.tsx";
import { Overview } from "./screens/overview.tsx";
import { Batch } from "./screens/pay-out/batch.tsx";
import { PayOut } from "./screens/pay-out/pay-out.tsx";
import { Payment } from "./screens/payment.tsx";
import { Payments } from "./screens/payments.tsx";
import { SandboxScreen } from "./screens/sandbox/sandbox-screen.tsx";
import { Security } from "./screens/security.tsx";
import { Settings } from "./screens/settings/settings.tsx";
import { Team } from "./screens/team.tsx";
import type { Right } from "./wire/people.ts";
import type { en } from "./words/en.ts";

type NavName = Exclude<keyof typeof en.nav, "label" | "bar" | "more" | "skip" | "groups">;

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
  /** Where it stands in the menu; without it, its right says where. */
  readonly group?: MenuGroup;
};

/** The parts of the menu, in their order. The first has no caption. */
export const MENU_GROUPS = ["money", "developers", "company"] as const;
export type MenuGroup = (typeof MENU_GROUPS)[number];

const RIGHTS_OF_GROUP: Readonly<Record<Exclude<MenuGroup, "company">, readonly string[]>> = {
  money: ["payments.read", "statement.read", "payouts.make", "payouts.approve"],
  developers: ["keys.manage", "callbacks.manage", "log.read", "sandbox.use"],
};

/** What is neither about money nor for developers is about the company and its people. */
export function menuGroupOf({ group, right }: ScreenRow): MenuGroup {
  if (group !== undefined) return group;
  if (right === undefined) return "company";
  if (RIGHTS_OF_GROUP.money.includes(right)) return "money";
  return RIGHTS_OF_GROUP.developers.includes(right) ? "developers" : "company";
}

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
    ...{ name: "settings", path: "settings", icon: ICONS.settings, right: "settings.manage", isOfProject: true },
    draw: () => <Settings />,
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
    ...{ name: "keys", path: "keys", icon: ICONS.key, right: "keys.manage", isOfProject: true },
    draw: () => <Keys />,
  },
  {
    ...{ name: "payOut", path: "pay-out", icon: ICONS.payOut, right: "payouts.make", isOfProject: true },
    draw: (id) => (id === undefined ? <PayOut /> : <Batch key={id} id={id} />),
  },
  {
    ...{ name: "log", path: "log", icon: ICONS.log, right: "log.read", isOfProject: true },
    draw: () => <RequestLog />,
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
  {
    ...{ name: "sandbox", path: "sandbox", icon: ICONS.sandbox, right: "sandbox.use", isOfProject: true },
    draw: () => <SandboxScreen />,
  },
];

const WITH_ID: readonly NavName[] = ["payments", "payouts", "payOut"];

export type FoundScreen = { readonly row: ScreenRow; readonly id: string | undefined };

export function findScreen(path: string): FoundScreen | undefined {
  const [first = "", id, ...rest] = path.split("/");
  const row = SCREENS.find((each) => each.path === first);
  if (row === undefined || rest.length > 0) return undefined;
  return id === undefined || WITH_ID.includes(row.name) ? { row, id } : undefined;
}
