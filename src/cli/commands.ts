import { attention } from "./attention.ts";
import { balanceCredit, balanceDebit, balanceShow } from "./balance.ts";
import { bankAdd, bankDisable, bankEnable, bankImport, bankList } from "./bank.ts";
import { call } from "./call.ts";
import { callbackKeyRotate, callbackKeyShow } from "./callback-key.ts";
import { callbackKeyPromote } from "./callback-key-promote.ts";
import { callbackList, callbackShow } from "./callback-list.ts";
import { callbackReplay } from "./callback-replay.ts";
import { callbackDisabled, callbackEnable } from "./callback-url.ts";
import type { Command } from "./command.ts";
import { keyList, keyRevoke } from "./key.ts";
import { keyAdd } from "./key-add.ts";
import { ledgerCheck } from "./ledger-check.ts";
import { listen } from "./listen.ts";
import { merchantCreate, merchantList } from "./merchant.ts";
import { migrateCommand } from "./migrate.ts";
import { PAUSE_COMMANDS, RESUME_COMMANDS } from "./pause.ts";
import { paymentDecline, paymentSettle } from "./payment-end.ts";
import { paymentList, payoutList } from "./payment-list.ts";
import { paymentShow } from "./payment-show.ts";
import { payoutComplete } from "./payout-complete.ts";
import { payoutExport } from "./payout-export.ts";
import { payoutFail } from "./payout-fail.ts";
import { poolAccountAdd, poolAccountSet } from "./pool-account.ts";
import { poolAccountList, poolAccountShow } from "./pool-account-list.ts";
import { poolCapacity } from "./pool-capacity.ts";
import { poolAccountMapping } from "./pool-mapping.ts";
import { poolRequisiteAdd, poolRequisiteList, poolRequisiteOff, poolRequisiteOn } from "./pool-requisite.ts";
import { projectCreate, projectList, projectShow } from "./project.ts";
import { projectSet } from "./project-set.ts";
import { reconcileCommand } from "./reconcile.ts";
import { suspenseReverse, transferReverse } from "./reverse.ts";
import { sandboxClock } from "./sandbox-clock.ts";
import { secretsRewrap } from "./secrets-rewrap.ts";
import { start } from "./start.ts";
import { statementImport } from "./statement-import.ts";
import { suspenseAssign, suspenseList, suspenseReturn } from "./suspense.ts";
import { transferList, transferRecord } from "./transfer.ts";
import { transferExplain } from "./transfer-explain.ts";
import { transferReveals } from "./transfer-reveals.ts";

/** Every command, in the order that the help shows them. */
export const COMMANDS: readonly Command[] = [
  start,
  call,
  listen,
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
  payoutExport,
  payoutComplete,
  payoutFail,
  suspenseList,
  suspenseAssign,
  suspenseReturn,
  suspenseReverse,
  statementImport,
  transferRecord,
  transferList,
  transferReveals,
  transferExplain,
  transferReverse,
  reconcileCommand,
  ...PAUSE_COMMANDS,
  ...RESUME_COMMANDS,
  poolAccountList,
  poolAccountShow,
  poolAccountAdd,
  poolAccountSet,
  poolAccountMapping,
  poolRequisiteList,
  poolRequisiteAdd,
  poolRequisiteOn,
  poolRequisiteOff,
  poolCapacity,
  bankList,
  bankImport,
  bankAdd,
  bankDisable,
  bankEnable,
  callbackList,
  callbackShow,
  callbackReplay,
  callbackDisabled,
  callbackEnable,
  callbackKeyShow,
  callbackKeyRotate,
  callbackKeyPromote,
  sandboxClock,
  ledgerCheck,
  migrateCommand,
  secretsRewrap,
];
