import { POOL_ATTENTION } from "../pool/app/pool-attention.ts";
import { ACCOUNT_LINES } from "../pool/app/pool-returns.ts";
import { BY_HAND_PART } from "../pool/cli/by-hand-view.ts";
import { payoutComplete } from "../pool/cli/payout-complete.ts";
import { payoutExport } from "../pool/cli/payout-export.ts";
import { payoutFail } from "../pool/cli/payout-fail.ts";
import { printWaitingPayouts } from "../pool/cli/payout-waiting.ts";
import { poolAccountAdd, poolAccountSet } from "../pool/cli/pool-account.ts";
import { poolAccountList, poolAccountShow } from "../pool/cli/pool-account-list.ts";
import { poolCapacity } from "../pool/cli/pool-capacity.ts";
import { poolAccountMapping } from "../pool/cli/pool-mapping.ts";
import { poolRequisiteAdd, poolRequisiteList, poolRequisiteOff, poolRequisiteOn } from "../pool/cli/pool-requisite.ts";
import { reconcileCommand } from "../pool/cli/reconcile.ts";
import { statementImport } from "../pool/cli/statement-import.ts";
import { transferList, transferRecord } from "../pool/cli/transfer.ts";
import { transferExplain } from "../pool/cli/transfer-explain.ts";
import { transferReveals } from "../pool/cli/transfer-reveals.ts";
import { transferReverse } from "../pool/cli/transfer-reverse.ts";
import { isAccountCode } from "../pool/core/account-settings.ts";
import { POOL_RESTORE } from "../pool/store/pool-restore.ts";
import { POOL_RULES } from "../pool/store/pool-rules.ts";
import { alertTest } from "./alerts/alert-test.ts";
import { attention } from "./attention/attention.ts";
import { callbackDismiss } from "./callbacks/callback-dismiss.ts";
import { callbackKeyRotate, callbackKeyShow } from "./callbacks/callback-key.ts";
import { callbackKeyPromote } from "./callbacks/callback-key-promote.ts";
import { callbackList, callbackShow } from "./callbacks/callback-list.ts";
import { callbackReplay } from "./callbacks/callback-replay.ts";
import { callbackDisabled, callbackEnable } from "./callbacks/callback-url.ts";
import { listen } from "./callbacks/listen.ts";
import { call } from "./developer/call.ts";
import { payin } from "./developer/payin.ts";
import { payout } from "./developer/payout.ts";
import { trigger } from "./developer/trigger.ts";
import { vectorsCheck } from "./developer/vectors-check.ts";
import type { Command } from "./kit/command.ts";
import { balanceCredit, balanceDebit, balanceShow } from "./ledger/balance.ts";
import { ledgerClearing } from "./ledger/clearing.ts";
import { ledgerCheck } from "./ledger/ledger-check.ts";
import { ledgerMargin } from "./ledger/margin.ts";
import { suspenseReverse } from "./ledger/reverse.ts";
import { suspenseAssign, suspenseList, suspenseReturn } from "./ledger/suspense.ts";
import { bankAdd, bankDisable, bankEnable, bankImport, bankList } from "./merchants/bank.ts";
import { bankSet, bankShow } from "./merchants/bank-look.ts";
import { binImport, binShow } from "./merchants/bin.ts";
import { keyList, keyRevoke } from "./merchants/key.ts";
import { keyAdd } from "./merchants/key-add.ts";
import { merchantCreate, merchantList } from "./merchants/merchant.ts";
import { PAUSE_COMMANDS, RESUME_COMMANDS } from "./merchants/pause.ts";
import { projectCreate, projectList, projectShow } from "./merchants/project.ts";
import { projectSet } from "./merchants/project-set.ts";
import { routeTry } from "./merchants/route-try.ts";
import { paymentDecline, paymentSettle } from "./payments/payment-end.ts";
import { paymentList, payoutList } from "./payments/payment-list.ts";
import { paymentShow } from "./payments/payment-show.ts";
import { payoutBatches } from "./payments/payout-batches.ts";
import { personAdd, personList } from "./people/person.ts";
import { personInvite, personReset } from "./people/person-link.ts";
import { completion } from "./processes/completion.ts";
import { migrateCommand } from "./processes/migrate.ts";
import { sandboxClock } from "./processes/sandbox-clock.ts";
import { secretsRewrap } from "./processes/secrets-rewrap.ts";
import { start } from "./processes/start.ts";
import { providerAdd } from "./providers/provider-add.ts";
import { providerBalances } from "./providers/provider-balances.ts";
import { providerBanks, providerBanksRefresh } from "./providers/provider-banks.ts";
import { providerFunds, providerFundsReverse } from "./providers/provider-funds.ts";
import { providerHealth } from "./providers/provider-health.ts";
import { providerKeyAdd, providerKeyList, providerKeyRetire } from "./providers/provider-key.ts";
import { providerList, providerShow } from "./providers/provider-list.ts";
import { providerRetire, providerSet } from "./providers/provider-set.ts";
import { providerTest } from "./providers/provider-test.ts";
import { reconcileProviderCommand } from "./providers/reconcile-provider.ts";
import { restoreDeclare, restoreResume, restoreShow } from "./restore/restore.ts";
import { restoreCheck } from "./restore/restore-check.ts";

/** What commands of the house need of the receiving accounts. */
const OWN_ACCOUNTS = { lines: ACCOUNT_LINES, isAccountCode };

/** Every command, in the order that the help shows them. */
export const COMMANDS: readonly Command[] = [
  start,
  completion(() => COMMANDS),
  call,
  payin,
  payout,
  trigger,
  listen,
  vectorsCheck,
  merchantCreate,
  merchantList,
  projectCreate,
  projectList,
  projectShow,
  projectSet,
  routeTry,
  keyAdd,
  keyList,
  keyRevoke,
  personAdd,
  personInvite,
  personReset,
  personList,
  balanceShow,
  balanceCredit,
  balanceDebit,
  attention(POOL_ATTENTION),
  alertTest,
  paymentList,
  paymentShow(BY_HAND_PART),
  paymentSettle,
  paymentDecline,
  payoutList(printWaitingPayouts),
  payoutBatches,
  payoutExport,
  payoutComplete,
  payoutFail,
  suspenseList,
  suspenseAssign(OWN_ACCOUNTS),
  suspenseReturn(OWN_ACCOUNTS),
  suspenseReverse(ACCOUNT_LINES),
  statementImport,
  transferRecord,
  transferList,
  transferReveals,
  transferExplain,
  transferReverse,
  reconcileCommand,
  reconcileProviderCommand,
  ...PAUSE_COMMANDS,
  ...RESUME_COMMANDS,
  providerList,
  providerShow,
  providerAdd,
  providerSet,
  providerTest,
  providerRetire,
  providerKeyList,
  providerKeyAdd,
  providerKeyRetire,
  providerBalances,
  providerFunds(OWN_ACCOUNTS),
  providerFundsReverse(ACCOUNT_LINES),
  providerBanks,
  providerBanksRefresh,
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
  bankShow,
  bankImport,
  bankAdd,
  bankSet,
  bankDisable,
  bankEnable,
  binImport,
  binShow,
  providerHealth,
  callbackList,
  callbackShow,
  callbackReplay,
  callbackDismiss,
  callbackDisabled,
  callbackEnable,
  callbackKeyShow,
  callbackKeyRotate,
  callbackKeyPromote,
  sandboxClock,
  restoreShow,
  restoreCheck(POOL_RULES, POOL_RESTORE),
  restoreResume,
  restoreDeclare,
  ledgerCheck(POOL_RULES),
  ledgerMargin,
  ledgerClearing,
  migrateCommand,
  secretsRewrap,
];
