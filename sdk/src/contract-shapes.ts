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
