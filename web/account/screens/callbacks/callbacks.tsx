import { BookMark } from "../../parts/badge.tsx";
import { ICONS } from "../../parts/icons.ts";
import { Link } from "../../parts/link.tsx";
import { Screen } from "../../parts/screen.tsx";
import { EmptyState } from "../../parts/states.tsx";
import { useScope } from "../../projects.ts";
import { useRouter } from "../../router.ts";
import { useAccount } from "../../session.ts";
import type { Project } from "../../wire/reports.ts";
import { withQuery } from "../../with-query.ts";
import { useSpeech } from "../../words/words.ts";
import { Deliveries } from "./deliveries.tsx";
import { Endpoints } from "./endpoints.tsx";
import { SetUp } from "./set-up.tsx";
import { TestCallback } from "./test-callback.tsx";

const VIEWS = ["deliveries", "setup", "test"] as const;

/** How callbacks fare, how they are set up, and a test of them. */
export function Callbacks() {
  const { words } = useSpeech();
  const { place, go } = useRouter();
  const { projectId } = useScope();
  const view = VIEWS.find((each) => each === place.query.get("view")) ?? "deliveries";
  return (
    <Screen title={words.callbacks.title}>
      <fieldset class="tabs callback-views">
        <legend class="unseen">{words.callbacks.views}</legend>
        {VIEWS.map((each) => (
          <label key={each}>
            <input
              type="radio"
              name="view"
              checked={view === each}
              onChange={() => go(withQuery("callbacks", { project: projectId, view: each }), "replace")}
            />
            <span>{words.callbacks.view[each]}</span>
          </label>
        ))}
      </fieldset>
      {view === "deliveries" ? (
        <>
          <Endpoints />
          <Deliveries />
        </>
      ) : (
        <OfProject view={view} />
      )}
    </Screen>
  );
}

/** What belongs to one project: the chosen one, or the only one. */
function OfProject({ view }: { readonly view: "setup" | "test" }) {
  const { projects } = useAccount();
  const { project } = useScope();
  const [only, ...others] = projects;
  const chosen = project ?? (others.length === 0 ? only : undefined);
  if (chosen === undefined) return <ChooseProject projects={projects} view={view} />;
  return view === "setup" ? <SetUp key={chosen.id} id={chosen.id} /> : <TestCallback key={chosen.id} id={chosen.id} />;
}

function ChooseProject({ projects, view }: { readonly projects: readonly Project[]; readonly view: string }) {
  const { words } = useSpeech();
  return (
    <EmptyState icon={ICONS.callbacks} title={words.callbacks.chooseProject} text={words.callbacks.chooseProjectText}>
      <p class="project-choices">
        {projects.map(({ id, name, book }) => (
          <Link key={id} to={withQuery("callbacks", { project: id, view })} look="button quiet">
            {name} <BookMark book={book} />
          </Link>
        ))}
      </p>
    </EmptyState>
  );
}
