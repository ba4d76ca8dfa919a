import { readAttention as readAttentionWith } from "../../app/attention/read-attention.ts";
import { checkLedger as checkLedgerWith } from "../../app/ledger/check-ledger.ts";
import { type MoveFunds, moveFunds as moveFundsWith } from "../../app/ledger/move-funds.ts";
import { type MoveSuspense, moveSuspense as moveSuspenseWith } from "../../app/ledger/move-suspense.ts";
import { type ReverseFunds, reverseFunds as reverseFundsWith } from "../../app/ledger/reverse-funds.ts";
import { type ReverseMove, reverseMove as reverseMoveWith } from "../../app/ledger/reverse-move.ts";
import { type PaymentName, readPaymentTrails as readPaymentTrailsWith } from "../../app/payments/read-payments.ts";
import { findByHand } from "../../pool/app/find-by-hand.ts";
import { POOL_ATTENTION } from "../../pool/app/pool-attention.ts";
import { ACCOUNT_LINES } from "../../pool/app/pool-returns.ts";
import { POOL_RULES } from "../../pool/store/pool-rules.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { LEDGER_RULES as HOUSE_RULES, listViolations as listViolationsOf } from "../../store/ledger/ledger-check.ts";

/** The use cases that the pool has a part in, put together with it as the command table does. */

export const ALL_RULES = { ...HOUSE_RULES, ...POOL_RULES };

export const LEDGER_RULES: readonly string[] = Object.keys(ALL_RULES);

export const listViolations = (tx: Transaction) => listViolationsOf(tx, ALL_RULES);

export const checkLedger = (db: Database) => checkLedgerWith(db, POOL_RULES);

export const readAttention = (db: Database) => readAttentionWith(db, POOL_ATTENTION);

export const moveSuspense = (db: Database, wish: MoveSuspense) => moveSuspenseWith({ db, lines: ACCOUNT_LINES }, wish);

export const moveFunds = (db: Database, command: MoveFunds) => moveFundsWith({ db, lines: ACCOUNT_LINES }, command);

export const reverseFunds = (db: Database, command: ReverseFunds) =>
  reverseFundsWith({ db, lines: ACCOUNT_LINES }, command);

export const reverseMove = (db: Database, command: ReverseMove) =>
  reverseMoveWith({ db, lines: ACCOUNT_LINES }, command);

export const readPaymentTrails = (db: Database, name: PaymentName) => readPaymentTrailsWith({ db, findByHand }, name);
