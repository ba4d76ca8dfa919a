export type { Balance, BalanceInfo } from "./balance.ts";
export type { Bank } from "./bank.ts";
export type { TillgateCallback } from "./callback.ts";
export { createTillgate, type Tillgate, type TillgateOptions } from "./client.ts";
export {
  type Credentials,
  credentialsFromSandboxFile,
  type HmacCredentials,
  type RsaCredentials,
  type SandboxFile,
} from "./credentials.ts";
export type { Ecom } from "./ecom.ts";
export type { Browser, Card, EcomMethod, EcomPayinRequest, EcomPayoutRequest, ThreeDsResult } from "./ecom-request.ts";
export {
  type ErrorCode,
  type FieldError,
  type SignatureFaultReason,
  TillgateApiError,
  TillgateError,
  TillgateNetworkError,
  TillgateResponseError,
  TillgateSignatureError,
  TillgateTimeoutError,
} from "./errors.ts";
export type { IncomingHeaders } from "./header.ts";
export type { Integration, ThreeDs, ThreeDs1, ThreeDs2 } from "./integration.ts";
export { type Scheme, scheme1Message, scheme2Message } from "./message.ts";
export { type JsonObject, type JsonValue, normalise } from "./normalise.ts";
export type { P2p } from "./p2p.ts";
export type {
  P2pPayinMethod,
  P2pPayinRequest,
  P2pPayoutMethod,
  P2pPayoutRequest,
  P2pReceivers,
  Sender,
} from "./p2p-request.ts";
export {
  type CardBrand,
  type DeclineCode,
  isFinal,
  type Payment,
  type PaymentCard,
  type PaymentStatus,
  type PaymentSums,
  type PaymentType,
  type StatusFields,
  type SubStatus,
} from "./payment.ts";
export type { CreatedPayment } from "./payment-calls.ts";
export type { Customer, General } from "./request-blocks.ts";
export type {
  AccountRequisites,
  CardRequisites,
  LinkRequisites,
  PhoneRequisites,
  Requisites,
} from "./requisites.ts";
export { rsaAccessToken } from "./rsa-key.ts";
export { type Algorithm, type SignedHeaders, type SignRequest, signRequest } from "./sign.ts";
export { type IssuerForm, issuerForm, threeDsResult } from "./three-ds.ts";
export { type VerifyCallback, verifyCallback } from "./verify-callback.ts";
export { type VerifyStandardWebhook, verifyStandardWebhook } from "./verify-standard-webhook.ts";
export { SDK_VERSION } from "./version.ts";
export type { Widget, WidgetMethod, WidgetPayinRequest } from "./widget.ts";
