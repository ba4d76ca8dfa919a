// Written by tools/contract-types.mjs from docs/openapi.yaml: change the document, and run it.

import type { Shape } from "./shape.ts";

export const PAYMENT_SHAPE = {
  project_id: "string",
  payment_id: "string",
  request_id: "string",
  type: "string",
  status: "string",
  sub_status: "string|null",
  status_description: "string|null",
  decline_code: "string|null",
  payment: {
    "method?": "string",
    amount: "integer",
    requested_amount: "integer",
    "received_amount?": "integer",
    currency: "string",
    "fee?": "integer",
    "net?": "integer",
  },
  "requisites?": {
    type: "string",
    "pan?": "string",
    "phone?": "string",
    "account_number?": "string",
    "url?": "string",
    "holder?": "string",
    "bank?": "string",
    "bank_name?": "string",
    amount: "integer",
    currency: "string",
  },
  "card?": {
    pan: "string",
    brand: "string",
  },
  "integration?": {
    "form_url?": "string",
    "redirect_url?": "string",
    "three_ds?": {
      version: "string",
      acs_url: "string",
      "creq?": "string",
      "three_ds_session_data?": "string",
      "pa_req?": "string",
      "md?": "string",
      "term_url?": "string",
    },
  },
  "attempts?": [
    {
      number: "integer",
      method: "string",
      "bank?": "string",
      "card?": {
        pan: "string",
        brand: "string",
      },
      status: "string",
      decline_code: "string|null",
      created_at: "string",
      ended_at: "string|null",
    },
  ],
  created_at: "string",
  updated_at: "string",
  "expires_at?": "string",
  finished_at: "string|null",
} as const satisfies Shape;

export const CALLBACK_SHAPE = {
  project_id: "string",
  general: {
    request_id: "string",
    payment_id: "string",
  },
  status: {
    status: "string",
    sub_status: "string|null",
    status_description: "string|null",
    decline_code: "string|null",
  },
  payment_info: {
    type: "string",
    "method?": "string",
    amount: "integer",
    requested_amount: "integer",
    "received_amount?": "integer",
    currency: "string",
    "fee?": "integer",
    "net?": "integer",
  },
  "requisites?": {
    type: "string",
    "pan?": "string",
    "phone?": "string",
    "account_number?": "string",
    "url?": "string",
    "holder?": "string",
    "bank?": "string",
    "bank_name?": "string",
    amount: "integer",
    currency: "string",
  },
  "integration?": {
    "form_url?": "string",
    "redirect_url?": "string",
    "three_ds?": {
      version: "string",
      acs_url: "string",
      "creq?": "string",
      "three_ds_session_data?": "string",
      "pa_req?": "string",
      "md?": "string",
      "term_url?": "string",
    },
  },
  "attempts?": [
    {
      number: "integer",
      method: "string",
      "bank?": "string",
      "card?": {
        pan: "string",
        brand: "string",
      },
      status: "string",
      decline_code: "string|null",
      created_at: "string",
      ended_at: "string|null",
    },
  ],
  event: {
    id: "string",
    sequence: "integer",
    created_at: "string",
    "test?": "boolean",
  },
} as const satisfies Shape;

export const BALANCE_INFO_SHAPE = {
  balance: [
    {
      currency: "string",
      amount: "integer",
      locked_amount: "integer",
    },
  ],
} as const satisfies Shape;

export const BANK_LIST_SHAPE = [
  {
    id: "string",
    name: "string",
    symbol: "string",
    sbp_code: "string",
    is_sbp_bank: "boolean",
    country_code: "string",
  },
] as const satisfies Shape;

export const FIELD_ERROR_SHAPE = {
  field: "string",
  code: "string",
  message: "string",
} as const satisfies Shape;

export const SANDBOX_PAYMENT_SHAPE = {
  direction: "string",
  payment_id: "string",
  id: "string",
  kind: "string",
  method: "string|null",
  status: "string",
  sub_status: "string|null",
  amount: "integer",
  currency: "string",
  received_amount: "integer",
  "requisites?": {
    type: "string",
    "pan?": "string",
    "phone?": "string",
    "account_number?": "string",
    "url?": "string",
    "holder?": "string",
    "bank?": "string",
    "bank_name?": "string",
    amount: "integer",
    currency: "string",
  },
  "expires_at?": "string",
  created_at: "string",
  "challenge_url?": "string",
  "form_url?": "string",
  actions: ["string"],
} as const satisfies Shape;

export const SANDBOX_CLOCK_SHAPE = {
  moved: "integer",
  seconds: "integer",
} as const satisfies Shape;

export const SANDBOX_FAULTS_SHAPE = {
  faults: [
    {
      kind: "string",
      call: "string",
      ms: "integer",
      times: "integer|string",
    },
  ],
} as const satisfies Shape;

export const SANDBOX_CALLBACKS_SHAPE = {
  echo_url: "string",
  callbacks: [
    {
      id: "string",
      received_at: "string",
      headers: {},
      body: "string",
      event: "string|null",
      payment_id: "string|null",
      checks: [
        {
          step: "string",
          ok: "boolean",
          detail: "string",
        },
      ],
      genuine: "boolean",
      answered: "integer",
    },
  ],
} as const satisfies Shape;
