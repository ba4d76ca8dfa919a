/** What Acme Pay remembers and does: one deposit or withdrawal for one reference, however often it is asked for. */
export type AcmeBooks = {
  readonly answer: (call: BookCall) => BookAnswer;
  /** What a request is to meet; to be said before it is made. */
  readonly plan: (reference: string, plan: "refused") => void;
  readonly credit: (reference: string, amount: number) => void;
  readonly end: (reference: string, state: "paid" | "refused" | "failed" | "wrong_card" | "withdrawn") => void;
  readonly listPaid: (reference: string) => readonly number[];
};

type BookCall = { readonly method: string; readonly path: string; readonly body: string };
export type BookAnswer = { readonly status: number; readonly content: object };

type Entry = {
  readonly reference: string;
  readonly object: "deposit" | "withdrawal";
  readonly requested: string;
  /** The members that its answers show. */
  shown: Record<string, unknown>;
  readonly credits: { readonly id: string; readonly amount: number; readonly credited_at: number }[];
};

const FEE = 150;
const NEVER_SEEN: BookAnswer = { status: 404, content: { error: "no_such_reference" } };
const USED: BookAnswer = { status: 409, content: { error: "reference_used" } };

export function openAcmeBooks(notify: (object: Entry["object"], reference: string) => void): AcmeBooks {
  const entries = new Map<string, Entry>();
  const refusals = new Set<string>();
  let cards = 0;

  function create(object: Entry["object"], body: string): BookAnswer {
    const { reference, amount, currency } = JSON.parse(body);
    const known = entries.get(reference);
    if (known !== undefined) return known.requested === body ? show(known) : USED;
    const isRefused = refusals.has(reference);
    cards += 1;
    const shown =
      object === "withdrawal"
        ? { state: isRefused ? "refused" : "queued", amount, currency, ...(isRefused ? { reason: "no_funds" } : {}) }
        : isRefused
          ? { state: "no_card" }
          : { state: "waiting", pay_to: { card_number: String(2200_0000_0000_0000 + cards), card_holder: "ACME LLC" } };
    const entry = { reference, object, requested: body, shown, credits: [] };
    entries.set(reference, entry);
    return show(entry);
  }

  function get(reference: string): Entry {
    const entry = entries.get(reference);
    if (entry === undefined) throw new Error(`Acme Pay has no ${reference}`);
    return entry;
  }

  return {
    answer: ({ method, path, body }) => {
      const [, kind, reference, action] = path.split("/");
      const object = kind === "deposits" ? "deposit" : "withdrawal";
      if (method === "POST" && reference === undefined) return create(object, body);
      const entry = entries.get(reference ?? "");
      if (entry === undefined || entry.object !== object) return NEVER_SEEN;
      if (action === "close" && entry.shown.state === "waiting") entry.shown = { ...entry.shown, state: "closed" };
      return show(entry);
    },
    plan: (reference) => void refusals.add(reference),
    credit: (reference, amount) => {
      const { credits } = get(reference);
      credits.push({ id: `${reference}-${credits.length}`, amount, credited_at: Math.floor(Date.now() / 1000) });
      notify("deposit", reference);
    },
    end: (reference, state) => {
      const entry = get(reference);
      entry.shown = { ...entry.shown, state, ...(state === "paid" ? { fee: FEE } : {}) };
      notify(entry.object, reference);
    },
    listPaid: (reference) => {
      const { shown } = get(reference);
      return shown.state === "paid" ? [Number(shown.amount)] : [];
    },
  };
}

function show({ reference, object, shown, credits }: Entry): BookAnswer {
  return { status: 200, content: { reference, ...shown, ...(object === "deposit" ? { credits } : {}) } };
}
