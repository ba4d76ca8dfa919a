import { usePages } from "../pages.ts";
import { When } from "../parts/figures.tsx";
import { ICONS } from "../parts/icons.ts";
import { MoreButton } from "../parts/more-button.tsx";
import { Screen } from "../parts/screen.tsx";
import { EmptyState, Shown } from "../parts/states.tsx";
import { useScope } from "../projects.ts";
import type { AuditLine, AuditPage } from "../wire/people.ts";
import { useSpeech } from "../words/words.ts";

export function Audit() {
  const { words } = useSpeech();
  const loaded = usePages<AuditPage, AuditLine>("audit", ({ lines }) => lines);
  return (
    <Screen title={words.audit.title}>
      <p class="small lead">{words.audit.text}</p>
      <Shown loaded={loaded}>
        {() =>
          loaded.rows.length === 0 ? (
            <EmptyState icon={ICONS.audit} title={words.audit.empty} text={words.audit.emptyText} />
          ) : (
            <>
              <AuditTable lines={loaded.rows} />
              <MoreButton pages={loaded} />
            </>
          )
        }
      </Shown>
    </Screen>
  );
}

function AuditTable({ lines }: { readonly lines: readonly AuditLine[] }) {
  const { words } = useSpeech();
  // A project is named by its id in the log, and by its name to people.
  const { nameOf } = useScope();
  return (
    <div class="table-place">
      <table class="list audit-list">
        <caption class="unseen">{words.audit.title}</caption>
        <thead>
          <tr>
            <th scope="col">{words.audit.when}</th>
            <th scope="col">{words.audit.actor}</th>
            <th scope="col">{words.audit.action}</th>
            <th scope="col">{words.audit.changes}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.id}>
              <td class="when">
                <When at={line.at} full />
              </td>
              <td class="actor">
                {line.actor.kind === "operator" ? words.audit.operator(line.actor.name) : line.actor.name}
                {line.address === null ? null : <span class="small">{line.address}</span>}
              </td>
              <td class="action">
                <span title={line.action}>{words.audit.actions[line.action] ?? line.action}</span>
                <span class="small subject">{nameOf(line.subject)}</span>
              </td>
              <td class="changes">
                <Changes before={line.before} after={line.after} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What was, and what is: member by member, only those that differ. */
function Changes({ before, after }: Pick<AuditLine, "before" | "after">) {
  const was = membersOf(before);
  const is = membersOf(after);
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((name) => was[name] !== is[name]);
  return (
    <dl class="changes-list">
      {names.map((name) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {was[name] === undefined ? null : <del>{was[name]}</del>}{" "}
            {is[name] === undefined ? null : <ins>{is[name]}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function membersOf(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== "object" || value === null)
    return value === null || value === undefined ? {} : { "": String(value) };
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, typeof each === "string" ? each : JSON.stringify(each)]),
  );
}
