import {
  type Contract,
  componentName,
  isSigned,
  listCallbacks,
  listOperations,
  type NamedOperation,
  resolve,
  slugOf,
} from "./contract.ts";
import { codesOf, listExamples, listHeaders } from "./describe-operation.ts";
import { Fields } from "./fields.tsx";
import { Frame, type ReferenceGroup, type Site } from "./frame.tsx";
import { splitIntroduction } from "./includes.ts";
import { addressFrom, linksOf } from "./links.ts";
import { renderMarkdown } from "./markdown.ts";
import {
  answerAnchor,
  Codes,
  Examples,
  OperationSection,
  objectAnchor,
  SIGNED_HEADERS,
  titleOfObject,
} from "./operation.tsx";
import { ELSEWHERE, REFERENCE } from "./pages.ts";
import { listFields } from "./schema.ts";
import { Text, Words } from "./text.tsx";

type Group = { readonly name: string; readonly description: string; readonly operations: readonly NamedOperation[] };

function groupsOf(contract: Contract): Group[] {
  const operations = [...listOperations(contract), ...listCallbacks(contract)];
  return (contract.tags ?? [])
    .map(({ name, description = "" }) => {
      return { name, description, operations: operations.filter(({ tags = [] }) => tags[0] === name) };
    })
    .filter((group) => group.operations.length > 0);
}

/** The callbacks' heading has another anchor than the part of the introduction, whose old one leads to the guide. */
function groupAnchor(name: string): string {
  return name in ELSEWHERE ? `${slugOf(name)}-sent` : slugOf(name);
}

const OBJECTS = "Objects";
const ERROR_ANSWERS = "Error answers";

export function referenceGroups(contract: Contract): ReferenceGroup[] {
  const introduction = splitIntroduction(contract.info.description ?? "")
    .filter(({ heading }) => heading !== "" && !(heading in ELSEWHERE))
    .map(({ heading }) => ({ anchor: slugOf(heading), title: heading }));
  const headers = { anchor: SIGNED_HEADERS, title: "Headers" };
  return [
    { title: "Overview", anchor: "content", links: [...introduction, headers] },
    ...groupsOf(contract).map(({ name, operations }) => ({
      title: name,
      anchor: groupAnchor(name),
      links: operations.map(({ anchor, summary = "", method }) => ({ anchor, title: summary, method })),
    })),
    {
      title: OBJECTS,
      anchor: slugOf(OBJECTS),
      links: sharedObjects(contract).map((name) => ({ anchor: objectAnchor(name), title: name })),
    },
    { title: ERROR_ANSWERS, anchor: slugOf(ERROR_ANSWERS), links: [] },
  ];
}

type PageProps = { readonly contract: Contract; readonly site: Site };

export function ReferencePage({ contract, site }: PageProps) {
  const { title, description = "" } = contract.info;
  const parts = splitIntroduction(description);
  return (
    <Frame site={site} page={REFERENCE} title={title} description={`${title}: every call and callback.`} hasOperations>
      <h1>{title}</h1>
      <Text of={parts[0]?.markdown} />
      <Servers contract={contract} />
      <GuideLinks site={site} contract={contract} />
      {parts
        .slice(1)
        .filter(({ heading }) => !(heading in ELSEWHERE))
        .map(({ heading, markdown }) => (
          <Text key={heading} of={markdown} />
        ))}
      <SignedHeaders contract={contract} />
      {groupsOf(contract).map(({ name, description: told, operations }) => (
        <section key={name} class="group">
          <h2 id={groupAnchor(name)}>{name}</h2>
          <Text of={told} />
          {operations.map((operation) => (
            <OperationSection key={operation.anchor} contract={contract} operation={operation} />
          ))}
        </section>
      ))}
      <Objects contract={contract} />
      <ErrorAnswers contract={contract} />
    </Frame>
  );
}

/** Every signed call has the same, so they stand here once. */
function SignedHeaders({ contract }: { readonly contract: Contract }) {
  const signed = listOperations(contract).find((operation) => isSigned(contract, operation));
  if (signed === undefined) return null;
  return (
    <section class="text">
      <h2 id={SIGNED_HEADERS}>Headers of a signed call</h2>
      <p>
        <a href={addressFrom(REFERENCE, "signing")}>Signing</a> says how the signature is made.
      </p>
      <Fields fields={listHeaders(contract, signed)} showsRequired />
    </section>
  );
}

function Servers({ contract }: { readonly contract: Contract }) {
  return (
    <ul id="servers" class="servers">
      {(contract.servers ?? []).map(({ url, description = "" }) => (
        <li key={url}>
          <code>{url}</code> <Words of={description} />
        </li>
      ))}
    </ul>
  );
}

/** Old addresses of what has moved, such as `/docs#authentication`, still lead to where it is. */
function GuideLinks({ site, contract }: { readonly site: Site; readonly contract: Contract }) {
  const parts = splitIntroduction(contract.info.description ?? "");
  const anchorsOf = (page: string) =>
    parts
      .filter(({ heading }) => ELSEWHERE[heading] === page)
      .flatMap(({ markdown }) => renderMarkdown(markdown, { linkOf: linksOf(REFERENCE, "docs/openapi.yaml") }).headings)
      .map(({ id }) => id);
  return (
    <ul class="guide-links">
      {site.pages
        .filter(({ group }) => group !== "In depth")
        .map(({ name, title, about }) => (
          <li key={name}>
            {anchorsOf(name).map((id) => (
              <span key={id} id={id}></span>
            ))}
            <a href={addressFrom(REFERENCE, name)}>
              {title}
              <span class="about">{about}</span>
            </a>
          </li>
        ))}
    </ul>
  );
}

/** Named schemas that answers and callbacks have as their bodies, each shown once. */
function sharedObjects(contract: Contract): string[] {
  const answers = listOperations(contract).flatMap(({ responses }) =>
    Object.values(responses).filter((answer) => componentName(answer) === undefined),
  );
  const contents = [
    ...answers.map((answer) => resolve(contract, answer).content ?? {}),
    ...listCallbacks(contract).map(({ requestBody }) => requestBody?.content ?? {}),
  ];
  const names = contents.flatMap((content) =>
    Object.values(content).flatMap(({ schema = {} }) => {
      const name = componentName(schema);
      return name === undefined || listFields(contract, schema).length === 0 ? [] : [name];
    }),
  );
  return [...new Set([...names, "Error"])].filter((name) => contract.components?.schemas?.[name] !== undefined);
}

function Objects({ contract }: { readonly contract: Contract }) {
  return (
    <section class="group">
      <h2 id={slugOf(OBJECTS)}>{OBJECTS}</h2>
      {sharedObjects(contract).map((name) => {
        const ref = { $ref: `#/components/schemas/${name}` };
        return (
          <section key={name} class="object" id={objectAnchor(name)}>
            <h3>{titleOfObject(name).replace(/^t/, "T")}</h3>
            <Text of={contract.components?.schemas?.[name]?.description} />
            <Fields fields={listFields(contract, ref)} showsRequired={false} />
          </section>
        );
      })}
    </section>
  );
}

/** Each answer that operations share. */
function ErrorAnswers({ contract }: { readonly contract: Contract }) {
  return (
    <section class="group">
      <h2 id={slugOf(ERROR_ANSWERS)}>{ERROR_ANSWERS}</h2>
      <p>
        Every answer that is not 2xx has <a href={`#${objectAnchor("Error")}`}>the error object</a> as its body.{" "}
        <a href={addressFrom(REFERENCE, "errors")}>Errors</a> says what to do about each code.
      </p>
      {Object.entries(contract.components?.responses ?? {}).map(([name, from]) => {
        const answer = resolve(contract, from);
        const examples = Object.values(answer.content ?? {}).flatMap((each) => listExamples(contract, each.examples));
        return (
          <section key={name} class="error-answer" id={answerAnchor(name)}>
            <h3>
              {statusesOf(contract, name).join(", ")} <Codes codes={codesOf(contract, answer)} />
            </h3>
            <Text of={answer.description} />
            <Examples title="Example" examples={examples} />
          </section>
        );
      })}
    </section>
  );
}

function statusesOf(contract: Contract, answerName: string): string[] {
  const used = listOperations(contract).flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, answer]) => (componentName(answer) === answerName ? [status] : [])),
  );
  return [...new Set(used)];
}
