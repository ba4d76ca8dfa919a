/** A machine of the service's code: for each state the events that may happen in it, and where they lead. */
export type Machine = Readonly<Record<string, Readonly<Record<string, string>>>>;

export type Machines = { readonly p2p: Machine; readonly card: Machine; readonly payout: Machine };

export type Step = { readonly from: string; readonly to: string; readonly events: readonly string[] };

/** Each pair of different states that an event leads from one to the other, with those events. */
export function stepsOf(machine: Machine): Step[] {
  return Object.entries(machine).flatMap(([from, row]) => {
    const targets = [...new Set(Object.values(row))].filter((to) => to !== from);
    return targets.map((to) => ({
      from,
      to,
      events: Object.keys(row).filter((event) => row[event] === to),
    }));
  });
}

/** What the merchant sees of an event. An event without words stops the build. */
const WORDS: Readonly<Record<keyof Machines, Readonly<Record<string, string>>>> = {
  p2p: {
    chosen: "the payer chose a method on the payment page",
    card_chosen: "the payer chose to pay by card on the payment page",
    submitted: "Tillgate asks a provider for requisites",
    requisites_issued: "the requisites are there",
    requisites_late: "the requisites came after the lifetime",
    route_refused: "one provider has none, and the next is asked",
    no_requisites: "no provider has requisites",
    confirmed: "you confirm, or the payer does on the payment page",
    cancelled: "you cancel, or the payer does on the payment page",
    expired: "the lifetime is over",
    grace_over: "900 s after the lifetime are over",
    confirm_timed_out: "no transfer was seen for 1,800 s after the confirm",
    received_exact: "the requested sum has arrived",
    received_other: "another sum has arrived",
    received_no_room: "the money has arrived, and your balance is at its limit",
    room_found: "your balance has room for it again",
    provider_declined: "the provider cancels it",
    operator_settled: "an operator settles it",
    operator_declined: "an operator declines it",
    contradicted: "the provider takes money back",
  },
  card: {
    sent: "the card goes to the acquirer",
    challenged: "the issuer wants to see the payer",
    redirected: "the provider wants to see the payer on its page",
    result_passed: "the payer is back with the issuer's result",
    approved_exact: "the card was charged",
    approved_other: "the card was charged for another sum",
    approved_no_room: "the card was charged, and your balance is at its limit",
    room_found: "your balance has room for it again",
    declined: "the acquirer or the issuer declines",
    never_seen: "the acquirer has never seen the charge",
    expired: "the lifetime is over",
    timed_out: "for 24 hours the acquirer has not reported the result",
    reversed: "the charge was given back",
    operator_settled: "an operator settles it",
    operator_declined: "an operator declines it",
    contradicted: "the acquirer gives a counted charge back",
  },
  payout: {
    claimed: "it goes to the provider",
    approved: "the money is with the receiver",
    declined_on_route: "one provider declines, and the next is asked",
    declined: "the provider declines, and nothing left",
    may_have_left: "it failed, and the money may have left",
    receiver_wrong: "the receiver's details turned out to be wrong",
    timed_out: "the provider has not reported the result in time",
    operator_cancelled: "an operator cancels it",
    operator_settled: "an operator settles it",
    operator_declined: "an operator declines it",
    contradicted: "the provider reports otherwise than it ended",
  },
};

export function wordsOfEvent(kind: keyof Machines, event: string): string {
  const words = WORDS[kind][event];
  if (words === undefined) throw new Error(`the event ${event} of ${kind} has no words`);
  return words;
}

/** `processing:new` → `new`; a final state is its own name. */
export function shortName(state: string): string {
  return state.split(":").at(-1) ?? state;
}
