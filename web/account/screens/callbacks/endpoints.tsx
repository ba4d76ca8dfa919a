import { useLoad } from "../../load.ts";
import { Badge, BookMark } from "../../parts/badge.tsx";
import { countText, When } from "../../parts/figures.tsx";
import { ICONS } from "../../parts/icons.ts";
import { Link } from "../../parts/link.tsx";
import { Panel } from "../../parts/panel.tsx";
import { EmptyState, Shown } from "../../parts/states.tsx";
import { useScope } from "../../projects.ts";
import { useRouter } from "../../router.ts";
import { useAccount } from "../../session.ts";
import type { CallbackHealth, Endpoint } from "../../wire/callbacks.ts";
import { withQuery } from "../../with-query.ts";
import { useSpeech } from "../../words/words.ts";
import { errorText } from "./error-text.ts";

const DAYS = ["1", "7"] as const;

/** How the merchant's servers take callbacks. */
export function Endpoints() {
  const { language, words } = useSpeech();
  const { place, go } = useRouter();
  const { projectId } = useScope();
  const days = DAYS.find((each) => each === place.query.get("days")) ?? "1";
  const loaded = useLoad<CallbackHealth>(withQuery("callbacks/health", { project: projectId, days }));
  const period = (
    <fieldset class="tabs">
      <legend class="unseen">{words.callbacks.period}</legend>
      {DAYS.map((each) => (
        <label key={each}>
          <input
            type="radio"
            name="days"
            checked={days === each}
            onChange={() => go(withQuery("callbacks", { ...Object.fromEntries(place.query), days: each }), "replace")}
          />
          <span>{words.callbacks.days[each]}</span>
        </label>
      ))}
    </fieldset>
  );
  return (
    <Panel title={words.callbacks.health} text={words.callbacks.healthText} aside={period}>
      <Shown loaded={loaded}>
        {({ endpoints, others }) =>
          endpoints.length === 0 ? (
            <EmptyState
              icon={ICONS.callbacks}
              title={words.callbacks.noEndpoints}
              text={words.callbacks.noEndpointsText}
            >
              <Link to={withQuery("callbacks", { project: projectId, view: "setup" })} look="button quiet">
                {words.callbacks.setUp}
              </Link>
            </EmptyState>
          ) : (
            <>
              <EndpointTable endpoints={endpoints} />
              {others > 0 ? <p class="small">{words.callbacks.moreEndpoints(countText(others, language))}</p> : null}
            </>
          )
        }
      </Shown>
    </Panel>
  );
}

function EndpointTable({ endpoints }: { readonly endpoints: readonly Endpoint[] }) {
  const { words } = useSpeech();
  return (
    <div class="table-place flat">
      <table class="list endpoint-list">
        <caption class="unseen">{words.callbacks.health}</caption>
        <thead>
          <tr>
            <th scope="col">{words.callbacks.endpoint}</th>
            <th scope="col" class="number">
              {words.callbacks.delivered}
            </th>
            <th scope="col" class="number">
              {words.callbacks.failedAttempts}
            </th>
            <th scope="col">{words.callbacks.answerTime}</th>
            <th scope="col">{words.callbacks.lastError}</th>
            <th scope="col">{words.callbacks.now}</th>
          </tr>
        </thead>
        <tbody>
          {endpoints.map((endpoint) => (
            <EndpointRow key={`${endpoint.project_id}${endpoint.origin}`} endpoint={endpoint} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function EndpointRow({ endpoint }: { readonly endpoint: Endpoint }) {
  const { language, words } = useSpeech();
  const { projects } = useAccount();
  const { nameOf } = useScope();
  const count = (value: number) => countText(value, language);
  const { project_id, origin, average_ms, p95_ms, last_error, last_error_at } = endpoint;
  const book = projects.find(({ id }) => id === project_id)?.book;
  return (
    <tr>
      <td class="origin">
        {book === undefined ? null : <BookMark book={book} />} <strong>{origin}</strong>
        {projects.length > 1 ? <span class="small">{nameOf(project_id)}</span> : null}
      </td>
      <td class="number" data-label={words.callbacks.delivered}>
        {words.callbacks.ofWritten(count(endpoint.delivered), count(endpoint.written))}
      </td>
      <td class="number" data-label={words.callbacks.failedAttempts}>
        {count(endpoint.failed_attempts)}
      </td>
      <td class="took" data-label={words.callbacks.answerTime}>
        {average_ms === null || p95_ms === null ? words.none : words.callbacks.times(count(average_ms), count(p95_ms))}
      </td>
      <td class="error" data-label={words.callbacks.lastError}>
        {last_error === null ? words.none : errorText(words, last_error)}
        {last_error_at === null ? null : (
          <span class="small">
            <When at={last_error_at} />
          </span>
        )}
      </td>
      <td class="now">
        <Standing endpoint={endpoint} />
      </td>
    </tr>
  );
}

const STANDS = [
  ["dead", "bad"],
  ["failing", "wait"],
  ["held", "wait"],
  ["waiting", "busy"],
] as const;

/** What is undelivered, each a link to its list. */
function Standing({ endpoint }: { readonly endpoint: Endpoint }) {
  const { language, words } = useSpeech();
  const shown = STANDS.filter(([state]) => endpoint[state] > 0);
  if (shown.length === 0) return <Badge tone="good">{words.callbacks.allWell}</Badge>;
  return (
    <span class="standing">
      {shown.map(([state, tone]) => (
        <Link
          key={state}
          to={withQuery("callbacks", { project: endpoint.project_id, state, url: endpoint.origin })}
          look="standing-link"
        >
          <Badge tone={tone}>
            {words.callbackStates[state]}: {countText(endpoint[state], language)}
          </Badge>
        </Link>
      ))}
    </span>
  );
}
