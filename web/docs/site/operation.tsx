import type { Example } from "../operations.ts";
import {
  type Answer,
  type Contract,
  componentName,
  isSigned,
  type NamedOperation,
  type OrRef,
  resolve,
  slugOf,
} from "./contract.ts";
import { bodyExamples, bodyFields, codesOf, listExamples, listHeaders } from "./describe-operation.ts";
import { Fields } from "./fields.tsx";
import { flatten, listFields, typeOf } from "./schema.ts";
import { Code, Text, Words } from "./text.tsx";

type Props = { readonly contract: Contract; readonly operation: NamedOperation };

/** Where the headers stand that every signed call has. */
export const SIGNED_HEADERS = "headers";

/** A call or a callback. The scripts of the page fill `data-console` and `data-samples`. */
export function OperationSection({ contract, operation }: Props) {
  const { method, path, anchor, summary = "", description, isCallback } = operation;
  const place = isCallback ? {} : { "data-method": method.toLowerCase(), "data-path": path };
  return (
    <section class={isCallback ? "callback" : "operation"} id={anchor} {...place}>
      <h3>
        {summary}{" "}
        <a class="anchor" href={`#${anchor}`} aria-label="Link to this section">
          #
        </a>
      </h3>
      <p class="endpoint">
        <span class="method">{method}</span> <code>{isCallback ? "your callback URL" : path}</code>
      </p>
      {!isCallback && <div data-console></div>}
      <div class="halves">
        <div class="told">
          <Text of={description} />
          <Request contract={contract} operation={operation} />
          <Answers contract={contract} operation={operation} />
        </div>
        <div class="shown">
          {!isCallback && <div data-samples></div>}
          <Examples title={isCallback ? "Body" : "Request"} examples={bodyExamples(contract, operation)} />
          <AnswerExamples contract={contract} operation={operation} />
        </div>
      </div>
    </section>
  );
}

function Request({ contract, operation }: Props) {
  const headers = operation.isCallback ? listHeaders(contract, operation) : [];
  const fields = bodyFields(contract, operation);
  const name = schemaName(operation.requestBody?.content);
  return (
    <>
      {!operation.isCallback && isSigned(contract, operation) && (
        <p>
          With <a href={`#${SIGNED_HEADERS}`}>the headers of a signed call</a>.
        </p>
      )}
      {headers.length > 0 && (
        <details class="headers">
          <summary>Headers</summary>
          <Fields fields={headers} showsRequired />
        </details>
      )}
      {operation.isCallback && name !== undefined && (
        <p>
          The body is <a href={`#${objectAnchor(name)}`}>the callback object</a>.
        </p>
      )}
      {!operation.isCallback && fields.length > 0 && (
        <>
          <h4>Body</h4>
          <Fields fields={fields} showsRequired />
        </>
      )}
    </>
  );
}

function Answers({ contract, operation }: Props) {
  const answers = Object.entries(operation.responses);
  const own = answers.filter(([, answer]) => componentName(answer) === undefined);
  const shared = answers.filter(([, answer]) => componentName(answer) !== undefined);
  return (
    <>
      {own.map(([status, answer]) => (
        <OwnAnswer
          key={status}
          contract={contract}
          title={`${operation.isCallback ? "Your answer" : "Answer"} ${status}`}
          answer={resolve(contract, answer)}
        />
      ))}
      {shared.length > 0 && <ErrorAnswers contract={contract} answers={shared} />}
    </>
  );
}

type OwnAnswerProps = { readonly contract: Contract; readonly title: string; readonly answer: Answer };

function OwnAnswer({ contract, title, answer }: OwnAnswerProps) {
  const headers = Object.entries(answer.headers ?? {}).filter(([name]) => name !== "x-request-id");
  return (
    <>
      <h4>{title}</h4>
      <Words as="p" of={answer.description.trim()} />
      {Object.entries(answer.content ?? {}).map(([type, { schema = {} }]) => {
        const name = componentName(schema);
        const fields = listFields(contract, schema);
        if (name !== undefined && fields.length > 0)
          return (
            <p key={type}>
              The body is <a href={`#${objectAnchor(name)}`}>{titleOfObject(name)}</a>.
            </p>
          );
        if (fields.length > 0) return <Fields key={type} fields={fields} showsRequired={false} />;
        return (
          <p key={type}>
            <code>{type}</code>, {typeOf(contract, flatten(contract, schema))}
          </p>
        );
      })}
      {headers.length > 0 && (
        <ul>
          {headers.map(([name, header]) => (
            <li key={name}>
              Header <code>{name}</code>: <Words of={resolve(contract, header).description ?? ""} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

type ErrorAnswersProps = {
  readonly contract: Contract;
  readonly answers: readonly (readonly [string, OrRef<Answer>])[];
};

function ErrorAnswers({ contract, answers }: ErrorAnswersProps) {
  return (
    <>
      <h4>Errors</h4>
      <ul class="errors">
        {answers.map(([status, ref]) => (
          <li key={status}>
            <a href={`#${answerAnchor(componentName(ref) ?? "")}`}>{status}</a>{" "}
            <Codes codes={codesOf(contract, resolve(contract, ref))} />
          </li>
        ))}
      </ul>
    </>
  );
}

export function Codes({ codes }: { readonly codes: readonly string[] }) {
  return (
    <>
      {codes.map((code, at) => (
        <span key={code}>
          {at > 0 && ", "}
          <code>{code}</code>
        </span>
      ))}
    </>
  );
}

function AnswerExamples({ contract, operation }: Props) {
  const all = Object.entries(operation.responses).flatMap(([status, from]) =>
    componentName(from) !== undefined
      ? []
      : Object.values(resolve(contract, from).content ?? {}).flatMap(({ examples }) =>
          listExamples(contract, examples).map((example) => ({ status, example })),
        ),
  );
  const [first] = all;
  if (first === undefined) return null;
  return <Examples title={`Answer ${first.status}`} examples={all.map(({ example }) => example)} />;
}

/** The first one is open. */
export function Examples({ title, examples }: { readonly title: string; readonly examples: readonly Example[] }) {
  return (
    <>
      {examples.map(({ name, summary, body }, at) => (
        <details key={name} class="example" open={at === 0}>
          <summary>
            <span class="example-of">{title}</span> {summary}
          </summary>
          <Code text={exampleText(body)} language="json" />
        </details>
      ))}
    </>
  );
}

function exampleText(value: unknown): string {
  return typeof value === "string" ? value.trimEnd() : (JSON.stringify(value, null, 2) ?? "");
}

function schemaName(content: Readonly<Record<string, { readonly schema?: object }>> = {}): string | undefined {
  const [media] = Object.values(content);
  return media?.schema === undefined ? undefined : componentName(media.schema);
}

export function objectAnchor(name: string): string {
  return `object-${slugOf(name)}`;
}

/** `BalanceList` → `the balance list object`. */
export function titleOfObject(name: string): string {
  return `the ${name.replaceAll(/(?<=[a-z])([A-Z])/g, " $1").toLowerCase()} object`;
}

export function answerAnchor(name: string): string {
  return `answer-${slugOf(name)}`;
}
