import type { PageStep } from "../../../core/page/page-step.ts";

type Titled = { readonly title: string; readonly text: string };

/** What the service itself says to payers; the script of the payment page has words of its own. */
export type PayerWords = {
  readonly page: PageWords;
  readonly missing: Readonly<Record<"unknown" | "tooMany" | "broken", Titled>>;
  readonly threeDs: ThreeDsWords;
  /** In place of a page of the sandbox's bank. */
  readonly sandbox: Readonly<Record<"unknown" | "tooFast" | "silent", Titled>>;
};

/** The payment page as it is without its script. */
type PageWords = {
  readonly order: string;
  readonly backToShop: string;
  readonly language: string;
  readonly needsScript: string;
  readonly footer: string;
  readonly toBank: string;
  readonly lookAgain: string;
  readonly payBefore: string;
  readonly steps: Readonly<Record<PageStep, { readonly heading: string; readonly text?: string }>>;
  readonly requisites: Readonly<Record<"pan" | "phone" | "account_number" | "url" | "holder" | "bank_name", string>>;
};

/** What payers read on the way to their bank and back. */
type ThreeDsWords = {
  readonly notFound: Titled & { readonly heading: string };
  readonly tooFast: Titled & { readonly heading: string };
  readonly toBank: Titled & { readonly button: string; readonly frame: string };
  readonly toPayment: { readonly title: string; readonly heading: string };
  readonly toShop: Titled;
  readonly ends: Readonly<Record<"success" | "decline" | "givenBack" | "underWay", Titled>>;
};
