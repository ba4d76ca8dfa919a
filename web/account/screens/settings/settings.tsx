import { Icon } from "../../../kit/icon.tsx";
import { useLoad } from "../../load.ts";
import { BookMark } from "../../parts/badge.tsx";
import { ICONS } from "../../parts/icons.ts";
import { Link } from "../../parts/link.tsx";
import { Screen } from "../../parts/screen.tsx";
import { EmptyState, Loading, Shown } from "../../parts/states.tsx";
import { useScope } from "../../projects.ts";
import { useAccount } from "../../session.ts";
import type { PageSettings } from "../../wire/settings.ts";
import { withQuery } from "../../with-query.ts";
import { useSpeech } from "../../words/words.ts";
import { PageEditor } from "./page-editor.tsx";

/** How a project's payment page looks, and which sites may show it. Settings are of one project. */
export function Settings() {
  const { words } = useSpeech();
  const { projects, areProjectsKnown } = useAccount();
  const { projectId } = useScope();
  const chosen = projectId ?? (projects.length === 1 ? projects[0]?.id : undefined);
  if (chosen !== undefined) return <OfProject key={chosen} id={chosen} />;
  return (
    <Screen title={words.settings.title}>
      {projects.length > 0 ? (
        <ProjectList />
      ) : areProjectsKnown ? (
        <EmptyState icon={ICONS.settings} title={words.settings.noProjects} text={words.settings.noProjectsText} />
      ) : (
        <Loading />
      )}
    </Screen>
  );
}

function ProjectList() {
  const { words } = useSpeech();
  const { projects } = useAccount();
  return (
    <>
      <p class="small lead">{words.settings.choose}</p>
      <ul class="project-choices">
        {projects.map(({ id, name, book }) => (
          <li key={id}>
            <Link to={withQuery("settings", { project: id })} look="project-choice">
              <span>
                <strong>{name}</strong> <BookMark book={book} />
              </span>
              <Icon path={ICONS.forward} />
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

function OfProject({ id }: { readonly id: string }) {
  const { words } = useSpeech();
  const loaded = useLoad<PageSettings>(`settings/${encodeURIComponent(id)}`);
  const isMissing = loaded.trouble?.kind === "refused" && loaded.trouble.status === 404;
  return (
    <Screen title={words.settings.title}>
      {isMissing ? <ProjectList /> : <Shown loaded={loaded}>{(settings) => <PageEditor settings={settings} />}</Shown>}
    </Screen>
  );
}
