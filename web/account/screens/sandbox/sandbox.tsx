import { useMemo } from "preact/hooks";
import { Desk } from "../../../desk/desk.tsx";
import { type DeskDoor, DoorContext } from "../../../desk/door.ts";
import { useDeskWords } from "../../../desk/words/words.ts";
import "../../../desk/desk.css";
import { ICONS } from "../../parts/icons.ts";
import { Link } from "../../parts/link.tsx";
import { EmptyState, Loading } from "../../parts/states.tsx";
import { useScope } from "../../projects.ts";
import { useAccount } from "../../session.ts";
import { withQuery } from "../../with-query.ts";

/** The tester's desk of the chosen test project, or of the only one. Live projects have none. */
export function Sandbox() {
  const desk = useDeskWords();
  const { projects, areProjectsKnown } = useAccount();
  const { project } = useScope();
  const tests = projects.filter(({ book }) => book === "test");
  const [only, ...others] = tests;
  const chosen = project?.book === "test" ? project : others.length === 0 ? only : undefined;
  if (!areProjectsKnown) return <Loading />;
  if (only === undefined) {
    return <EmptyState icon={ICONS.sandbox} title={desk.noProject} text={desk.noProjectText} />;
  }
  if (chosen === undefined) {
    return (
      <EmptyState icon={ICONS.sandbox} title={desk.chooseProject} text={desk.chooseProjectText}>
        <p class="project-choices">
          {tests.map(({ id, name }) => (
            <Link key={id} to={withQuery("sandbox", { project: id })} look="button quiet">
              {name}
            </Link>
          ))}
        </p>
      </EmptyState>
    );
  }
  return <DeskOf key={chosen.id} projectId={chosen.id} />;
}

function DeskOf({ projectId }: { readonly projectId: string }) {
  const { perform } = useAccount();
  const door = useMemo<DeskDoor>(
    () => ({
      ask: (name, body) =>
        perform(`sandbox/${name}`, { ...body, general: { ...body?.general, project_id: projectId } }),
      sendCallbacksTo: (url) => perform(`callbacks/projects/${projectId}/url`, { name: "callback_url", url }),
    }),
    [projectId],
  );
  return (
    <DoorContext.Provider value={door}>
      <Desk />
    </DoorContext.Provider>
  );
}
