import { attention } from "./attention.ts";
import { balanceCredit, balanceDebit, balanceShow } from "./balance.ts";
import { bankAdd, bankDisable, bankEnable, bankImport, bankList } from "./bank.ts";
import { call } from "./call.ts";
import type { Command } from "./command.ts";
import { keyList, keyRevoke } from "./key.ts";
import { keyAdd } from "./key-add.ts";
import { ledgerCheck } from "./ledger-check.ts";
import { merchantCreate, merchantList } from "./merchant.ts";
import { migrateCommand } from "./migrate.ts";
import { PAUSE_COMMANDS, RESUME_COMMANDS } from "./pause.ts";
import { paymentDecline, paymentSettle } from "./payment-end.ts";
import { paymentList, payoutList } from "./payment-list.ts";
import { paymentShow } from "./payment-show.ts";
import { projectCreate, projectList, projectShow } from "./project.ts";
import { projectSet } from "./project-set.ts";
import { sandboxClock } from "./sandbox-clock.ts";
import { secretsRewrap } from "./secrets-rewrap.ts";
import { start } from "./start.ts";
import { suspenseAssign, suspenseList, suspenseReturn } from "./suspense.ts";

/** Every command, in the order that the help shows them. */
export const COMMANDS: readonly Command[] = [
  start,
  call,
  merchantCreate,
  merchantList,
  projectCreate,
  projectList,
  projectShow,
  projectSet,
  keyAdd,
  keyList,
  keyRevoke,
  balanceShow,
  balanceCredit,
  balanceDebit,
  attention,
  paymentList,
  paymentShow,
  paymentSettle,
  paymentDecline,
  payoutList,
  suspenseList,
  suspenseAssign,
  suspenseReturn,
  ...PAUSE_COMMANDS,
  ...RESUME_COMMANDS,
  bankList,
  bankImport,
  bankAdd,
  bankDisable,
  bankEnable,
  sandboxClock,
  ledgerCheck,
  migrateCommand,
  secretsRewrap,
];
