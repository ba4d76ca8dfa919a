import { type ChannelOptions, openChannel, type WireAnswer } from "./channel.ts";
import { type ChargeEnd, deskAt } from "./desk.ts";
import { readBooks, readChargeBrowser, readEntriesPage, type WireBooks, type WireEntriesPage } from "./wire.ts";

/** What can be asked of the sandbox and of no other provider: for test projects, testers and tests. */
export type SandboxControl = {
  /** Moves the due times and expiries of the project's requests; false when the sandbox did not answer. */
  readonly moveClock: (projectId: string, seconds: number) => Promise<boolean>;
  readonly readBooks: (projectId?: string) => Promise<WireBooks | undefined>;
  readonly listEntries: (page: EntriesQuery) => Promise<WireEntriesPage | undefined>;
  readonly addFault: (fault: SandboxFault) => Promise<boolean>;
  readonly clearFaults: (projectId: string) => Promise<boolean>;
  /** Where the sandbox sends its notifications from now on, and where browsers find its pages. */
  readonly setNotifyUrl: (url: string, publicUrl?: string) => Promise<boolean>;
  readonly sendMoney: (reference: string, amountMinor: number) => Promise<boolean>;
  /** The bank takes the last money of a request back. */
  readonly takeMoneyBack: (reference: string) => Promise<boolean>;
  readonly cancelPayin: (reference: string) => Promise<boolean>;
  readonly endPayout: (reference: string, end: PayoutEnd) => Promise<boolean>;
  /** Plays the card acquirer; what was approved can only be reversed. */
  readonly endCharge: (reference: string, end: ChargeEnd) => Promise<boolean>;
  /** Makes the sandbox send a charge's notification again. */
  readonly tellCharge: (reference: string) => Promise<boolean>;
  /** What the sandbox was told about the browser of a charge; undefined where there is no such charge. */
  readonly findBrowser: (reference: string) => Promise<Readonly<Record<string, unknown>> | null | undefined>;
  readonly close: () => Promise<void>;
};

type EntriesQuery = { readonly projectId?: string; readonly after?: number; readonly limit?: number };

export type PayoutEnd = {
  readonly status: "paid" | "rejected" | "failed" | "wrong_details" | "returned";
  readonly reason?: string;
};

export type SandboxFault = ({ readonly projectId: string } | { readonly reference: string }) & {
  readonly kind:
    | "slow"
    | "error500_after_success"
    | "error500_before"
    | "garbage"
    | "reset"
    | "duplicate"
    | "out_of_order"
    | ChargeWish;
  /** Absent: every answer; for `duplicate` and `out_of_order` the notifications. Of no matter to the wishes. */
  readonly call?:
    | "create"
    | "confirm"
    | "release"
    | "authenticate"
    | "reverse"
    | "cancel"
    | "state"
    | "answer"
    | "notification";
  readonly ms?: number;
  /** Absent: once. */
  readonly times?: number | "always";
};

/** What a card charge is to do otherwise than its card says; requested before the charge. */
export type ChargeWish =
  /** The issuer wants the hidden step before its challenge. */
  | "method_step"
  /** A page of the provider takes the place of whatever the card would do. */
  | "plain_redirect"
  /** Pending for `ms` once it is authorised. */
  | "slow_approval"
  /** Approved `ms` after it was declined. */
  | "late_approval"
  /** Approved for 100 more. */
  | "wrong_amount";

export function openSandboxControl(options: ChannelOptions): SandboxControl {
  const channel = openChannel(options);
  const { ask, close } = channel;
  const desk = deskAt(channel);
  const post = async (path: string, body: object): Promise<boolean> => isDone(await ask("POST", path, body));
  const done = async (answer: Promise<"done" | "unknown" | "silent">): Promise<boolean> => (await answer) === "done";

  return {
    moveClock: desk.moveClock,
    readBooks: async (projectId) => {
      const answer = await ask("GET", `/books${queryOf({ project_id: projectId })}`);
      return isDone(answer) ? readBooks(answer.body) : undefined;
    },
    listEntries: async ({ projectId, after, limit }) => {
      const answer = await ask("GET", `/books/entries${queryOf({ project_id: projectId, after, limit })}`);
      return isDone(answer) ? readEntriesPage(answer.body) : undefined;
    },
    addFault: (fault) => {
      const { kind, call, ms, times } = fault;
      const whose = "reference" in fault ? { reference: fault.reference } : { project_id: fault.projectId };
      return post("/faults", { ...whose, kind, call, ms, times });
    },
    clearFaults: (projectId) => done(desk.clearFaults(projectId)),
    setNotifyUrl: (url, publicUrl) => post("/settings", { notify_url: url, public_url: publicUrl }),
    sendMoney: (reference, amountMinor) => done(desk.sendMoney(reference, amountMinor)),
    takeMoneyBack: (reference) => done(desk.takeMoneyBack(reference)),
    cancelPayin: (reference) => done(desk.cancelPayin(reference)),
    endPayout: (reference, end) => post(`/play/payouts/${encodeURIComponent(reference)}/end`, end),
    endCharge: (reference, end) => done(desk.endCharge(reference, end)),
    tellCharge: (reference) => post(`/play/charges/${encodeURIComponent(reference)}/tell`, {}),
    findBrowser: async (reference) => {
      const answer = await ask("GET", `/play/charges/${encodeURIComponent(reference)}/browser`);
      return isDone(answer) ? readChargeBrowser(answer.body)?.browser : undefined;
    },
    close,
  };
}

function isDone(answer: WireAnswer): answer is Extract<WireAnswer, { kind: "answered" }> {
  return answer.kind === "answered" && answer.status === 200;
}

function queryOf(members: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? "" : `?${query}`;
}
