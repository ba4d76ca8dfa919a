import { useState } from "preact/hooks";
import { Code } from "../parts/code.tsx";
import { checkCallback } from "./check/check-callback.ts";
import { checkRequest } from "./check/check-request.ts";
import { readRequest } from "./check/read-request.ts";
import { firstFault, type Report, type Step } from "./check/report.ts";
import { AreaEntry, Radios, TextEntry } from "./fields.tsx";
import { canSign } from "./signing/keys.ts";

type What = "request" | "callback";
const WHATS = [
  { value: "request", name: "A request that I send" },
  { value: "callback", name: "A callback that I received" },
] as const;

type Form = { readonly text: string; readonly body: string; readonly path: string; readonly key: string };
const EMPTY: Form = { text: "", body: "", path: "", key: "" };

/** Everything happens in the page: no key leaves it. */
export function CheckForm({ paths }: { readonly paths: readonly string[] }) {
  const [what, setWhat] = useState<What>("request");
  const [form, setForm] = useState(EMPTY);
  const [report, setReport] = useState<Report>();
  const change = (changes: Partial<Form>) => {
    setForm((old) => ({ ...old, ...changes }));
    setReport(undefined);
  };
  if (!canSign()) return <p>This browser checks signatures on pages that came over HTTPS, or from this machine.</p>;
  return (
    <form
      class="check"
      onSubmit={async (event) => {
        event.preventDefault();
        setReport(await check(what, form, paths));
      }}
    >
      <Radios
        label="What do you want to check?"
        value={what}
        choices={WHATS}
        onChange={(chosen) => {
          setWhat(chosen);
          setReport(undefined);
        }}
      />
      <AreaEntry
        label={what === "request" ? "The request" : "The callback's headers"}
        rows={8}
        value={form.text}
        placeholder={
          what === "request" ? "curl … or POST /api/v1/… HTTP/1.1 or x-access-timestamp: …" : "webhook-id: …"
        }
        hint="A curl command, the request as HTTP text, or only its headers, one a line."
        onInput={(text) => change({ text })}
      />
      <AreaEntry
        label="Body"
        rows={5}
        value={form.body}
        hint="Byte for byte. Leave it empty if the text above has it."
        onInput={(body) => change({ body })}
      />
      {what === "request" ? (
        <TextEntry
          label="Path"
          value={form.path}
          placeholder="/api/v1/balance/info"
          hint="Leave it empty if the text above has it."
          onInput={(path) => change({ path })}
        />
      ) : null}
      <AreaEntry
        label={
          what === "request" ? "Public key or HMAC secret" : "Public key of the service, or secret of your project"
        }
        rows={4}
        value={form.key}
        placeholder={
          what === "request" ? "-----BEGIN PUBLIC KEY----- or sk_…" : "-----BEGIN PUBLIC KEY----- or whsec_…"
        }
        hint="It stays in this page. Use a key of a test project."
        onInput={(key) => change({ key })}
      />
      <button type="submit" class="main-button">
        Check
      </button>
      <div aria-live="polite">{report === undefined ? null : <ReportShown report={report} />}</div>
    </form>
  );
}

/** The whole text of a paste ends with a line feed that the body did not have. */
function check(what: What, form: Form, paths: readonly string[]): Promise<Report> {
  const read = readRequest(form.text);
  const body = form.body === "" ? (read.body ?? "").replace(/\r?\n$/, "") : form.body;
  const common = { headers: read.headers, body, key: form.key, nowMs: Date.now() };
  if (what === "callback") return checkCallback(common);
  const target = form.path.trim() === "" ? (read.target ?? "/") : form.path.trim();
  return checkRequest({ ...common, method: (read.method ?? "POST").toUpperCase(), target, paths });
}

const SIGNS = { ok: "✓", note: "!", fault: "✕" } as const;
const WORDS = { ok: "right", note: "note", fault: "differs" } as const;

function ReportShown({ report }: { readonly report: Report }) {
  const fault = firstFault(report);
  return (
    <section class="report" aria-label="Result">
      <p class={fault === undefined ? "verdict is-good" : "verdict is-bad"}>
        {fault === undefined ? "The signature is right." : `The first step that differs: ${fault.name}.`}
      </p>
      {fault === undefined ? null : <p>{fault.detail}</p>}
      <ol class="steps">
        {report.steps.map((step) => (
          <StepShown key={step.name} step={step} />
        ))}
      </ol>
      {report.values.map(({ name, text }) => (
        <div key={name}>
          <p class="step-title">{name}</p>
          <Code label={name} text={text} wraps />
        </div>
      ))}
    </section>
  );
}

function StepShown({ step }: { readonly step: Step }) {
  return (
    <li class={`step is-${step.state}`}>
      <span class="sign" aria-hidden="true">
        {SIGNS[step.state]}
      </span>
      <div>
        <strong>{step.name}</strong> <span class="unseen">{WORDS[step.state]}</span>
        <p>{step.detail}</p>
      </div>
    </li>
  );
}
