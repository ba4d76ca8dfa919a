import { type Channel, type ChannelOptions, openChannel, type WireAnswer } from "./channel.ts";
import { isUnknownReference } from "./refusals.ts";
import { readCharge, readFaultList } from "./wire.ts";

/** The sandbox as its tester plays it, for the desk of test projects. Its words are the sandbox's own. */
export type SandboxDeskLine = ReturnType<typeof openSandboxDesk>;

type Answer = "done" | "unknown" | "silent";

export type ChargeEnd =
  | { readonly status: "approved"; readonly amount?: number }
  | { readonly status: "declined"; readonly reason?: string }
  | { readonly status: "pending" | "reversed" };

type Fault = {
  readonly kind: string;
  readonly call: string | undefined;
  readonly ms: number | undefined;
  readonly times: number | "always" | undefined;
};

export function openSandboxDesk(options: ChannelOptions) {
  const channel = openChannel(options);
  return { ...deskAt(channel), close: channel.close };
}

export function deskAt(channel: Channel) {
  const play = playAt(channel);
  return {
    moveClock: async (projectId: string, seconds: number) =>
      (await play("/clock", { project_id: projectId, seconds })) === "done",
    takeOver: (direction: "payin" | "payout", reference: string) =>
      play(`/play/${direction}s/${encodeURIComponent(reference)}/take-over`),
    sendMoney: (reference: string, amount: number) => play(`${payinPath(reference)}/transfer`, { amount }),
    takeMoneyBack: (reference: string) => play(`${payinPath(reference)}/take-back`),
    cancelPayin: (reference: string) => play(`${payinPath(reference)}/cancel`),
    endPayout: (reference: string, status: string) =>
      play(`/play/payouts/${encodeURIComponent(reference)}/end`, { status }),
    endCharge: (reference: string, end: ChargeEnd) => play(`/play/charges/${encodeURIComponent(reference)}/end`, end),
    isHeld: async (reference: string) => {
      const answer = await channel.ask("GET", `/play/charges/${encodeURIComponent(reference)}`);
      const charge = answer.kind === "answered" && answer.status === 200 ? readCharge(answer.body) : undefined;
      return charge && charge.status === "pending";
    },
    addFault: (projectId: string, { kind, call, ms, times }: Fault) =>
      play("/faults", { project_id: projectId, kind, call, ms, times }),
    clearFaults: async (projectId: string) => answerOf(await channel.ask("DELETE", faultsPath(projectId))),
    listFaults: async (projectId: string) => {
      const answer = await channel.ask("GET", faultsPath(projectId));
      return answer.kind === "answered" && answer.status === 200 ? readFaultList(answer.body)?.faults : undefined;
    },
  };
}

function playAt({ ask }: Channel): (path: string, body?: object) => Promise<Answer> {
  return async (path, body = {}) => answerOf(await ask("POST", path, body));
}

function answerOf(answer: WireAnswer): Answer {
  if (isUnknownReference(answer)) return "unknown";
  return answer.kind === "answered" && answer.status === 200 ? "done" : "silent";
}

function payinPath(reference: string): string {
  return `/play/payins/${encodeURIComponent(reference)}`;
}

function faultsPath(projectId: string): string {
  return `/faults?${new URLSearchParams({ project_id: projectId })}`;
}
