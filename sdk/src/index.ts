export type { SignatureFaultReason } from "./advice.ts";
export type { CallOptions } from "./call-options.ts";
export { createTillgate, type Tillgate, type TillgateOptions } from "./client.ts";
export type {
  AccountRequisites,
  Balance,
  BalanceInfo,
  Bank,
  CardRequisites,
  DeclineCode,
  ErrorCode,
  FieldError,
  Integration,
  LinkRequisites,
  PayerAttempt,
  Payment,
  PaymentCard,
  PaymentStatus,
  PaymentSums,
  PaymentType,
  PhoneRequisites,
  Requisites,
  SandboxCallback,
  SandboxCallbacks,
  SandboxClock,
  SandboxFaults,
  SandboxPayment,
  SubStatus,
  ThreeDs,
  ThreeDs1,
  ThreeDs2,
  TillgateCallback,
} from "./contract-answers.ts";
export type { Browser, Card, Customer, Sender, ThreeDsResult } from "./contract-requests.ts";
export {
  type Credentials,
  credentialsFromSandboxFile,
  type HmacCredentials,
  type RsaCredentials,
  type SandboxFile,
} from "./credentials.ts";
export type { Ecom } from "./ecom.ts";
export {
  hasCode,
  TillgateAbortError,
  TillgateApiError,
  TillgateError,
  TillgateNetworkError,
  TillgateResponseError,
  TillgateSignatureError,
  TillgateTimeoutError,
} from "./errors.ts";
export { expressCallbackHandler } from "./handlers/express-handler.ts";
export { fastifyCallbackPlugin } from "./handlers/fastify-plugin.ts";
export { createCallbackHandler } from "./handlers/request-handler.ts";
export type { CallbackHandlerOptions, CallbackKeys } from "./handlers/take-callback.ts";
export type { IncomingHeaders } from "./header.ts";
export { type Scheme, scheme1Message, scheme2Message } from "./message.ts";
export { type JsonObject, type JsonValue, normalise } from "./normalise.ts";
export type { P2p } from "./p2p.ts";
export { type CardBrand, isFinal, type StatusFields } from "./payment.ts";
export type { CreatedPayment } from "./payment-calls.ts";
export type {
  EcomMethod,
  EcomPayinRequest,
  EcomPayoutRequest,
  General,
  P2pPayinMethod,
  P2pPayinRequest,
  P2pPayoutMethod,
  P2pPayoutRequest,
  P2pReceivers,
  WidgetMethod,
  WidgetPayinRequest,
} from "./requests.ts";
export { rsaAccessToken } from "./rsa-key.ts";
export type {
  Sandbox,
  SandboxAct,
  SandboxAction,
  SandboxDirection,
  SandboxEchoAnswer,
  SandboxFault,
  SandboxList,
  SandboxSince,
} from "./sandbox.ts";
export { type Algorithm, type SignedHeaders, type SignRequest, signRequest } from "./sign.ts";
export { type IssuerForm, issuerForm, threeDsResult } from "./three-ds.ts";
export { type VerifyCallback, verifyCallback } from "./verify-callback.ts";
export { type VerifyStandardWebhook, verifyStandardWebhook } from "./verify-standard-webhook.ts";
export { SDK_VERSION } from "./version.ts";
export type { Widget } from "./widget.ts";
