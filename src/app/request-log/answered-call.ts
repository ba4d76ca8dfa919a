import type { Id } from "../../core/ids.ts";

/** A call of a merchant that was answered. Nothing of it is masked yet. */
export type AnsweredCall = {
  readonly id: Id;
  readonly path: string;
  readonly status: number;
  readonly code: string | undefined;
  readonly ms: number;
  /** The project's key that it was signed with, or claimed to be. */
  readonly keyId: Id | undefined;
  readonly address: string;
  readonly body: Buffer;
  readonly answer: string;
  readonly isReplay: boolean;
};

/** The same, as it waits to be masked. Of long bodies only the beginning is kept. */
export type WaitingCall = Omit<AnsweredCall, "body" | "answer"> & {
  readonly request: string;
  readonly requestBytes: number;
  readonly answer: string;
  readonly answerBytes: number;
};
