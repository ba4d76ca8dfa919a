import { Badge, BookMark } from "../../parts/badge.tsx";
import { CopyText } from "../../parts/copy-text.tsx";
import { Facts } from "../../parts/facts.tsx";
import { countText } from "../../parts/figures.tsx";
import { Panel } from "../../parts/panel.tsx";
import type { KeyProject } from "../../wire/keys.ts";
import { useSpeech } from "../../words/words.ts";

/** The projects, with what a developer needs of each and which calls it accepts. */
export function Projects(props: {
  readonly projects: readonly KeyProject[];
  readonly onChange: (project: KeyProject) => void;
}) {
  const { words } = useSpeech();
  return (
    <section aria-label={words.projectRules.title}>
      <h2 class="part-title">{words.projectRules.title}</h2>
      <div class="columns">
        {props.projects.map((project) => (
          <ProjectPanel key={project.id} project={project} onChange={() => props.onChange(project)} />
        ))}
      </div>
    </section>
  );
}

function ProjectPanel({ project, onChange }: { readonly project: KeyProject; readonly onChange: () => void }) {
  const { language, words } = useSpeech();
  const said = words.projectRules;
  const change = (
    <button type="button" class="quiet" aria-label={said.changeOf(project.name)} onClick={onChange}>
      {said.change}
    </button>
  );
  return (
    <Panel title={project.name} aside={change}>
      <p class="project-marks">
        <BookMark book={project.book} />
        {project.book === "live" ? <Badge tone="plain">{words.book.live}</Badge> : null}
        {project.status === "paused" ? <Badge tone="wait">{said.paused}</Badge> : null}
      </p>
      <Facts
        rows={[
          { key: "id", name: said.projectId, value: <CopyText text={project.id} label={said.projectId} /> },
          {
            key: "keys",
            name: said.keyCount,
            value:
              project.key_count === 0 ? (
                <Badge tone="wait">{said.noKeys}</Badge>
              ) : (
                countText(project.key_count, language)
              ),
          },
          { key: "scheme", name: said.scheme, value: project.scheme2_only ? said.scheme2 : said.scheme12 },
          { key: "addresses", name: said.addresses, value: <Addresses addresses={project.allowed_ips} /> },
          { key: "rate", name: said.rate, value: countText(project.rate_per_second, language) },
        ]}
      />
    </Panel>
  );
}

function Addresses({ addresses }: { readonly addresses: readonly string[] }) {
  const { words } = useSpeech();
  if (addresses.length === 0) return <>{words.projectRules.anyAddress}</>;
  return (
    <ul class="addresses">
      {addresses.map((address) => (
        <li key={address}>
          <code>{address}</code>
        </li>
      ))}
    </ul>
  );
}
