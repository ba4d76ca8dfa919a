import type { ProbeStep, ProviderProbe } from "../../core/provider-probe.ts";
import { openUpstreamBooks } from "./books.ts";
import { type Channel, type ChannelOptions, openChannel, type WireAnswer } from "./channel.ts";
import { openQuestion } from "./question.ts";
import { findRefusal } from "./refusals.ts";

/** Tries a gateway out: its balance, then its banks. Both only read. Unlike the connector it tells why there is no answer. */
export async function probeUpstream(options: ChannelOptions): Promise<ProviderProbe> {
  const { projectId } = options.settings;
  let reason = "";
  const channel = openChannel({
    ...options,
    noteFailure: (why) => {
      reason = why;
    },
  });
  let last: WireAnswer | undefined;
  const ask: Channel["ask"] = async (path, body) => {
    last = await channel.ask(path, body);
    return last;
  };
  const books = openUpstreamBooks({ ask }, projectId, openQuestion({ ask }, projectId));
  const step = <T>(value: T | undefined): ProbeStep<T> =>
    value === undefined ? explain(last, reason) : { kind: "answered", value };
  try {
    const balances = step(await books.readBalances());
    if (balances.kind !== "answered") return { balances, banks: undefined };
    return { balances, banks: step((await books.readBanks())?.length) };
  } finally {
    await channel.close();
  }
}

function explain(answer: WireAnswer | undefined, reason: string): Exclude<ProbeStep<never>, { kind: "answered" }> {
  if (answer?.kind !== "answered") return { kind: "no_answer", reason: reason === "" ? "truncated" : reason };
  const { status } = answer;
  const code = findRefusal(answer)?.code;
  return code === undefined ? { kind: "not_understood", status } : { kind: "refused", status, code };
}
