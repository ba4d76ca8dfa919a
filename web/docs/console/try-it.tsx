import { useState } from "preact/hooks";
import type { Operation } from "../operations.ts";
import { AreaEntry, SelectEntry, TextEntry } from "./fields.tsx";
import { KeyPanel } from "./key-panel.tsx";
import { type LoadedKey, useKey } from "./key-store.ts";
import { creates, listBodies, noteCreated, prefilled, withFreshPaymentId } from "./prefill.ts";
import { AnswerShown, SignedSteps } from "./results.tsx";
import { type Answer, send } from "./service.ts";
import { ALGORITHM_NAMES, ALGORITHMS, type Algorithm } from "./signing/algorithms.ts";
import type { SigningKey } from "./signing/keys.ts";
import { bodyFault } from "./signing/message.ts";
import { type SignedCall, signCall } from "./signing/sign.ts";

/** Closed until a reader wants it: the reference has dozens of calls. */
export function TryIt({ operation }: { readonly operation: Operation }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="try" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="try-button">{isOpen ? "Close" : "Try it"}</span>
      </summary>
      {isOpen ? (
        operation.isSigned ? (
          <SignedCallForm operation={operation} />
        ) : (
          <PlainCall operation={operation} />
        )
      ) : null}
    </details>
  );
}

function PlainCall({ operation }: { readonly operation: Operation }) {
  const { answer, trouble, run } = useSending();
  return (
    <>
      <p>This call takes no signature.</p>
      <button type="button" class="main-button" onClick={() => run(() => send(operation.method, operation.path))}>
        Send
      </button>
      <Outcome answer={answer} trouble={trouble} />
    </>
  );
}

function SignedCallForm({ operation }: { readonly operation: Operation }) {
  const key = useKey();
  return (
    <>
      <KeyPanel />
      {key === undefined ? null : (
        <KeyedForm key={`${key.projectId} ${key.merchantId}`} operation={operation} loaded={key} />
      )}
    </>
  );
}

const ROWS_MAX = 24;

function KeyedForm({ operation, loaded }: { readonly operation: Operation; readonly loaded: LoadedKey }) {
  const bodies = listBodies(operation);
  const [example, setExample] = useState(bodies[0]?.name ?? "");
  const [body, setBody] = useState(() => prefilled(operation, bodies[0], loaded.projectId));
  const [algorithm, setAlgorithm] = useState<Algorithm>(
    ALGORITHM_NAMES.find((each) => keyFor(loaded, each)) ?? "RSA-SHA256",
  );
  const [timestamp, setTimestamp] = useState("");
  const [signed, setSigned] = useState<SignedCall>();
  const { answer, trouble, run, clear } = useSending();
  const timeFault = /^[ -~]*$/.test(timestamp) ? undefined : "A header takes no such character.";
  const fault = bodyFault(body);
  const cannotSign = fault !== undefined || timeFault !== undefined;
  const sign = async (): Promise<SignedCall> => {
    const key = keyFor(loaded, algorithm);
    if (key === undefined) throw new Error("no key of this kind is loaded");
    const time = timestamp.trim() === "" ? String(Math.floor(Date.now() / 1000)) : timestamp.trim();
    const parts = { method: operation.method, path: operation.path, timestamp: time, rawBody: body };
    const made = await signCall(key, { ...parts, algorithm, merchantId: loaded.merchantId });
    setSigned(made);
    return made;
  };
  const sendIt = async () => {
    const { headers } = await sign();
    const answered = await send(operation.method, operation.path, { headers, body });
    noteIfCreated(operation.path, answered);
    return answered;
  };
  return (
    <>
      <div class="entries">
        <AlgorithmEntry loaded={loaded} value={algorithm} onChange={setAlgorithm} />
        {bodies.length > 1 ? (
          <SelectEntry
            label="Example"
            value={example}
            choices={bodies.map(({ name, summary }) => ({ value: name, name: summary }))}
            onChange={(chosen) => {
              const from = bodies.find(({ name }) => name === chosen);
              setExample(chosen);
              setBody(prefilled(operation, from, loaded.projectId));
            }}
          />
        ) : null}
        <TextEntry label="Timestamp" value={timestamp} placeholder="now" mistake={timeFault} onInput={setTimestamp} />
      </div>
      <AreaEntry
        label="Body"
        rows={Math.min(ROWS_MAX, body.split("\n").length + 1)}
        value={body}
        mistake={fault}
        hint="Signed and sent byte for byte as it stands here."
        onInput={setBody}
      />
      <p class="acts">
        <button type="button" class="main-button" disabled={cannotSign} onClick={() => run(sendIt)}>
          Sign and send
        </button>
        <button
          type="button"
          class="quiet-button"
          disabled={cannotSign}
          onClick={() => {
            clear();
            void sign();
          }}
        >
          Sign only
        </button>
        {creates(operation.path) ? (
          <button type="button" class="quiet-button" onClick={() => setBody((old) => withFreshPaymentId(old) ?? old)}>
            New payment_id
          </button>
        ) : null}
      </p>
      {signed === undefined ? null : <SignedSteps signed={signed} />}
      <Outcome answer={answer} trouble={trouble} />
    </>
  );
}

function AlgorithmEntry(props: {
  readonly loaded: LoadedKey;
  readonly value: Algorithm;
  readonly onChange: (algorithm: Algorithm) => void;
}) {
  return (
    <SelectEntry
      label="Algorithm"
      value={props.value}
      choices={ALGORITHM_NAMES.map((name) => ({
        value: name,
        name: `${name} (scheme ${ALGORITHMS[name].scheme})`,
        isDisabled: keyFor(props.loaded, name) === undefined,
      }))}
      onChange={(name) => props.onChange(name as Algorithm)}
    />
  );
}

function keyFor(loaded: LoadedKey, algorithm: Algorithm): SigningKey | undefined {
  return loaded[ALGORITHMS[algorithm].kind];
}

/** Calls about a payment are then prefilled with its id. */
function noteIfCreated(path: string, { status, text }: Answer): void {
  if (!creates(path) || status !== 200) return;
  const { payment_id, general }: { payment_id?: string; general?: { payment_id?: string } } = JSON.parse(text);
  const id = payment_id ?? general?.payment_id;
  if (id !== undefined) noteCreated(path, id);
}

function useSending() {
  const [answer, setAnswer] = useState<Answer>();
  const [trouble, setTrouble] = useState<string>();
  const clear = () => {
    setAnswer(undefined);
    setTrouble(undefined);
  };
  const run = async (ask: () => Promise<Answer>) => {
    clear();
    try {
      setAnswer(await ask());
    } catch {
      setTrouble("No answer came. The call may have arrived: send the same body again, under the same payment_id.");
    }
  };
  return { answer, trouble, run, clear };
}

function Outcome(props: { readonly answer: Answer | undefined; readonly trouble: string | undefined }) {
  return (
    <div aria-live="polite">
      {props.trouble === undefined ? null : <p class="meaning">{props.trouble}</p>}
      {props.answer === undefined ? null : <AnswerShown answer={props.answer} />}
    </div>
  );
}
