import { Code } from "../parts/code.tsx";
import { explain } from "./explain.ts";
import { type Answer, basePath } from "./service.ts";
import { ALGORITHMS } from "./signing/algorithms.ts";
import type { SignedCall } from "./signing/sign.ts";

/** How the signature was made, value by value, so that a person can compare each with their own program's. */
export function SignedSteps({ signed }: { readonly signed: SignedCall }) {
  const { scheme, kind } = ALGORITHMS[signed.algorithm];
  const headers = Object.entries(signed.headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <details class="signed">
      <summary>How it was signed</summary>
      <ol>
        {scheme === 1 ? (
          <StepValue
            title="The normalised body: every value with the way to it, sorted"
            text={signed.normalised ?? ""}
          />
        ) : (
          <StepValue title="SHA-256 of the body's bytes, in hex" text={signed.bodyHash ?? ""} />
        )}
        <StepValue
          title={
            scheme === 1
              ? "The message: the normalised body in base64url, then the timestamp"
              : "The message: method, path, timestamp and that hash, one a line"
          }
          text={signed.message}
        />
        {scheme === 1 && kind === "rsa" ? (
          <StepValue title="SHA-256 of the message, in hex; its 32 bytes are signed" text={signed.messageHash ?? ""} />
        ) : null}
        <StepValue
          title={`The signature: ${kind === "rsa" ? "RSASSA-PKCS1-v1_5 with SHA-256" : "HMAC-SHA512"}, in base64url without padding`}
          text={signed.signature}
        />
        <StepValue title="The headers" text={headers.join("\n")} />
      </ol>
      <p class="entry-hint">
        Does your program make another signature? <a href={`${basePath()}/docs/check-signature`}>Check my signature</a>{" "}
        names the step that differs.
      </p>
    </details>
  );
}

function StepValue({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <li>
      <p class="step-title">{title}</p>
      <Code label={title} text={text} wraps />
    </li>
  );
}

/** An answer of /docs or /metrics can be long, and the page need not show all of it. */
const CHARACTERS_SHOWN_MAX = 20_000;

export function AnswerShown({ answer }: { readonly answer: Answer }) {
  const meaning = explain(answer);
  const text = formatted(answer.text);
  const shown = text.length > CHARACTERS_SHOWN_MAX ? `${text.slice(0, CHARACTERS_SHOWN_MAX)}\n…` : text;
  return (
    <section class="answer" aria-label="Answer">
      <p class="answer-line">
        <strong class={answer.status < 400 ? "is-good" : "is-bad"}>
          {answer.status} {answer.statusText}
        </strong>{" "}
        <span class="entry-hint">in {Math.round(answer.tookMs)} ms</span>
      </p>
      {meaning === undefined ? null : <p class="meaning">{meaning}</p>}
      <Code label="Body of the answer" text={shown} />
      <details>
        <summary>Headers of the answer</summary>
        <Code
          label="Headers of the answer"
          text={answer.headers.map(([name, value]) => `${name}: ${value}`).join("\n")}
          wraps
        />
      </details>
    </section>
  );
}

function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
