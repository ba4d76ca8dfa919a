import { useRef, useState } from "preact/hooks";
import { Notice } from "../../../kit/notice.tsx";
import { SelectField, TextField } from "../../parts/fields.tsx";
import { Modal } from "../../parts/modal.tsx";
import { useScope } from "../../projects.ts";
import type { Answer } from "../../server.ts";
import { useAccount } from "../../session.ts";
import type { ApiKey, KeyProject, MadeKey } from "../../wire/keys.ts";
import type { Words } from "../../words/en.ts";
import { refusalText, useSpeech } from "../../words/words.ts";
import { labelOf, projectLabel } from "./key-names.ts";
import { KeySource, type Source } from "./key-source.tsx";
import type { KeptKey } from "./made-key.tsx";
import { canMakePairs, makeRsaPair, PAIR_BITS, type RsaPair } from "./rsa-pair.ts";

const DAYS = [30, 90, 365] as const;
const OVERLAPS_S = [3600, 86400, 604800] as const;

type Form = {
  readonly label: string;
  /** A project's id, or the book of which it is for all projects. */
  readonly reach: string;
  readonly source: Source;
  readonly bits: number;
  readonly pem: string;
  /** Empty: until it is revoked. */
  readonly days: string;
  readonly overlapS: number;
};

/** Makes a key; or one in the place of another, which then works on for a while. */
export function NewKey(props: {
  readonly projects: readonly KeyProject[];
  readonly replaced: ApiKey | undefined;
  readonly onClose: () => void;
  readonly onMade: (made: KeptKey) => void;
  /** No answer came: the server may have made it anyway. */
  readonly onSilence: () => void;
}) {
  const { words } = useSpeech();
  const { perform } = useAccount();
  const { projectId } = useScope();
  const { replaced } = props;
  const [form, setForm] = useState(() => emptyForm(replaced, projectId ?? props.projects[0]?.id ?? ""));
  const set = (changes: Partial<Form>) => setForm((now) => ({ ...now, ...changes }));
  const [trouble, setTrouble] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  // Kept while the form is open: where no answer came, the same pair is sent again.
  const pair = useRef<RsaPair | undefined>(undefined);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    const mistake = findMistake(form, words);
    setTrouble(mistake);
    if (mistake !== undefined) return;
    setBusy(true);
    if (form.source !== "made") pair.current = undefined;
    else if (pair.current?.bits !== form.bits) pair.current = await makeRsaPair(form.bits);
    const answer = await perform<MadeKey>(
      replaced === undefined ? "keys" : `keys/${replaced.id}/replace`,
      bodyOf(form, pair.current, replaced),
    );
    setBusy(false);
    const made = keptOf(answer, form, pair.current);
    if (made !== undefined) return props.onMade(made);
    if (answer.kind === "silence") props.onSilence();
    setTrouble(troubleOf(words, answer, form));
  };
  return (
    <Modal
      title={replaced === undefined ? words.newKey.title : words.newKey.replaceTitle(labelOf(replaced, words))}
      {...(replaced === undefined ? {} : { text: words.newKey.replaceText })}
      onClose={props.onClose}
    >
      <form onSubmit={submit}>
        <Notice text={trouble} />
        <TextField
          label={words.newKey.label}
          hint={words.newKey.labelHint}
          value={form.label}
          maxLength={128}
          onInput={(label) => set({ label })}
        />
        {replaced === undefined ? (
          <SelectField
            label={words.newKey.reach}
            value={form.reach}
            options={reachesOf(props.projects, words)}
            onChange={(reach) => set({ reach })}
          />
        ) : (
          <SelectField
            label={words.newKey.overlap}
            value={String(form.overlapS)}
            options={OVERLAPS_S.map((each) => ({ value: String(each), name: words.newKey.overlaps[each] }))}
            onChange={(each) => set({ overlapS: Number(each) })}
          />
        )}
        <KeySource form={form} onChange={set} />
        <SelectField
          label={words.newKey.valid}
          value={form.days}
          options={[
            { value: "", name: words.newKey.forever },
            ...DAYS.map((each) => ({ value: String(each), name: words.newKey.days[each] })),
          ]}
          onChange={(days) => set({ days })}
        />
        <button type="submit" class="primary wide" aria-disabled={isBusy}>
          {isBusy ? words.newKey.busy : replaced === undefined ? words.newKey.submit : words.newKey.replaceSubmit}
        </button>
      </form>
    </Modal>
  );
}

function emptyForm(replaced: ApiKey | undefined, projectId: string): Form {
  const isHmac = replaced?.kind === "hmac" || !canMakePairs;
  return {
    ...{ label: replaced?.label ?? "", reach: projectId, pem: "", days: "" },
    ...{ source: isHmac ? "hmac" : "made", bits: PAIR_BITS[0], overlapS: OVERLAPS_S[1] },
  };
}

/** Each project; and all projects of a book, where there are any. */
function reachesOf(projects: readonly KeyProject[], words: Words) {
  const books = (["live", "test"] as const).filter((book) => projects.some((project) => project.book === book));
  return [
    ...projects.map((project) => ({ value: project.id, name: projectLabel(project, words) })),
    ...books.map((book) => ({ value: book, name: words.keys.allOf[book] })),
  ];
}

/** A private key is not sent, even by mistake. */
function findMistake({ source, pem }: Form, words: Words): string | undefined {
  if (source !== "pasted") return undefined;
  if (pem.includes("PRIVATE KEY-----")) return words.newKey.privatePasted;
  return pem.includes("BEGIN CERTIFICATE-----") ? words.newKey.certificatePasted : undefined;
}

function bodyOf(form: Form, pair: RsaPair | undefined, replaced: ApiKey | undefined): object {
  const { source, label, days, reach, overlapS } = form;
  const isBook = reach === "test" || reach === "live";
  return {
    label: label.trim(),
    valid_days: days === "" ? null : Number(days),
    ...(source === "hmac" ? { kind: "hmac" } : { kind: "rsa", public_key: pair?.publicPem ?? form.pem }),
    ...(replaced !== undefined ? { overlap_s: overlapS } : { project_id: isBook ? null : reach }),
    ...(replaced === undefined && isBook ? { book: reach } : {}),
  };
}

/** A pair of our own that is known already is one that was sent before, when no answer came. */
function keptOf(answer: Answer<MadeKey>, { label, source }: Form, pair: RsaPair | undefined): KeptKey | undefined {
  const kind = source === "hmac" ? "hmac" : "rsa";
  if (pair !== undefined && (answer.kind === "ok" || (answer.kind === "refused" && answer.code === "key_known")))
    return { label, kind, token: pair.token, secret: pair.privatePem };
  return answer.kind === "ok" ? { label, kind, token: answer.value.token, secret: answer.value.secret } : undefined;
}

function troubleOf(words: Words, answer: Answer<MadeKey>, { source }: Form): string | undefined {
  if (answer.kind === "ok") return undefined;
  if (answer.kind === "silence" && source === "made") return words.newKey.noAnswer;
  if (answer.kind === "silence" && source === "hmac") return words.newKey.noAnswerSecret;
  return refusalText(words, answer);
}
