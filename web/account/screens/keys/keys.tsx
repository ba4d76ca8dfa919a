import { useState } from "preact/hooks";
import { ConfirmDialog } from "../../../kit/dialog.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { Notice } from "../../../kit/notice.tsx";
import { useLoad } from "../../load.ts";
import { CopyText } from "../../parts/copy-text.tsx";
import { Facts } from "../../parts/facts.tsx";
import { ICONS } from "../../parts/icons.ts";
import { Panel } from "../../parts/panel.tsx";
import { Screen } from "../../parts/screen.tsx";
import { EmptyState, Shown } from "../../parts/states.tsx";
import { useScope } from "../../projects.ts";
import { useAccount } from "../../session.ts";
import type { ApiKey, MerchantKeys } from "../../wire/keys.ts";
import { refusalText, useSpeech } from "../../words/words.ts";
import { EndedKeys } from "./ended-keys.tsx";
import { labelOf, projectLabel, reachOf } from "./key-names.ts";
import { KeyTable } from "./key-table.tsx";
import { type KeptKey, MadeKeyShown } from "./made-key.tsx";
import { NewKey } from "./new-key.tsx";
import { ProjectRules } from "./project-rules.tsx";
import { Projects } from "./projects.tsx";

/** What is open over the screen. */
type Open =
  | { readonly kind: "add" }
  | { readonly kind: "replace" | "revoke"; readonly key: ApiKey }
  | { readonly kind: "made"; readonly made: KeptKey }
  | { readonly kind: "rules"; readonly projectId: string };

export function Keys() {
  const { words } = useSpeech();
  const loaded = useLoad<MerchantKeys>("keys");
  const [open, setOpen] = useState<Open>();
  const [trouble, setTrouble] = useState<string>();
  const add = (
    <button type="button" class="primary" onClick={() => setOpen({ kind: "add" })}>
      {words.keys.add}
    </button>
  );
  const all = loaded.value;
  return (
    <Screen title={words.keys.title} actions={all === undefined || all.projects.length === 0 ? undefined : add}>
      <p class="small lead">{words.keys.text}</p>
      <Notice text={trouble} />
      <Shown loaded={loaded}>
        {(value) =>
          value.projects.length === 0 ? (
            <EmptyState icon={ICONS.key} title={words.keys.noProjects} text={words.keys.noProjectsText} />
          ) : (
            <KeyParts all={value} onOpen={setOpen} />
          )
        }
      </Shown>
      {/* It holds what cannot be shown again, so it stays even if the list behind it cannot be read. */}
      {open?.kind === "made" ? <MadeKeyShown made={open.made} onClose={() => setOpen(undefined)} /> : null}
      {open === undefined || open.kind === "made" || all === undefined ? null : (
        <Opened open={open} all={all} onOpen={setOpen} onTrouble={setTrouble} reload={loaded.reload} />
      )}
    </Screen>
  );
}

type OnOpen = (open: Open | undefined) => void;

/** What the chosen project has, or all of them. */
function KeyParts({ all, onOpen }: { readonly all: MerchantKeys; readonly onOpen: OnOpen }) {
  const { words } = useSpeech();
  const { projectId } = useScope();
  const projects = all.projects.filter(({ id }) => projectId === undefined || id === projectId);
  const isShown = (key: ApiKey) =>
    projects.some(({ id, book }) => key.project_id === id || (key.project_id === null && key.book === book));
  const keys = all.keys.filter(isShown);
  const acts = {
    onReplace: (key: ApiKey) => onOpen({ kind: "replace", key }),
    onRevoke: (key: ApiKey) => onOpen({ kind: "revoke", key }),
  };
  return (
    <>
      {keys.length === 0 ? (
        <EmptyState icon={ICONS.key} title={words.keys.empty} text={words.keys.emptyText}>
          <button type="button" class="primary button" onClick={() => onOpen({ kind: "add" })}>
            {words.keys.add}
          </button>
        </EmptyState>
      ) : (
        <KeyTable title={words.keys.title} keys={keys} projects={all.projects} acts={acts} />
      )}
      <EndedKeys projects={all.projects} isShown={isShown} version={all} />
      <Connection all={all} />
      <Projects projects={projects} onChange={(project) => onOpen({ kind: "rules", projectId: project.id })} />
    </>
  );
}

function Connection({ all }: { readonly all: MerchantKeys }) {
  const { words } = useSpeech();
  const { connection, baseUrl, merchantId, docs } = words.keys;
  const link = (
    <a class="panel-link" href={all.docs_url} target="_blank" rel="noreferrer">
      {docs}
      <Icon path={ICONS.forward} />
    </a>
  );
  return (
    <Panel title={connection} aside={link}>
      <Facts
        rows={[
          { key: "base-url", name: baseUrl, value: <CopyText text={all.base_url} label={baseUrl} /> },
          { key: "merchant", name: merchantId, value: <CopyText text={all.merchant_id} label={merchantId} /> },
        ]}
      />
    </Panel>
  );
}

function Opened(props: {
  readonly open: Exclude<Open, { readonly kind: "made" }>;
  readonly all: MerchantKeys;
  readonly onOpen: OnOpen;
  readonly onTrouble: (trouble: string | undefined) => void;
  readonly reload: () => Promise<void>;
}) {
  const { open, all, onOpen, reload } = props;
  const close = () => onOpen(undefined);
  const onMade = async (made: KeptKey) => {
    onOpen({ kind: "made", made });
    props.onTrouble(undefined);
    await reload();
  };
  switch (open.kind) {
    case "add":
      return <NewKey projects={all.projects} replaced={undefined} onClose={close} onMade={onMade} onSilence={reload} />;
    case "replace":
      return <NewKey projects={all.projects} replaced={open.key} onClose={close} onMade={onMade} onSilence={reload} />;
    case "rules": {
      const project = all.projects.find(({ id }) => id === open.projectId);
      return project === undefined ? null : <ProjectRules project={project} onClose={close} onSaved={reload} />;
    }
    case "revoke":
      return <Revoke {...props} revoked={open.key} onClose={close} />;
  }
}

function Revoke(props: {
  readonly revoked: ApiKey;
  readonly all: MerchantKeys;
  readonly onClose: () => void;
  readonly onTrouble: (trouble: string | undefined) => void;
  readonly reload: () => Promise<void>;
}) {
  const { words } = useSpeech();
  const { perform } = useAccount();
  const { revoked, all } = props;
  const label = labelOf(revoked, words);
  const needing = all.projects.filter(({ id }) => revoked.needed_by.includes(id));
  const names = needing.map((project) => projectLabel(project, words)).join(", ");
  const isLast = needing.length > 0;
  return (
    <ConfirmDialog
      {...(isLast
        ? words.keys.revokeLastQuestion(label, names)
        : words.keys.revokeQuestion(label, reachOf(revoked, all.projects, words)))}
      offered="no"
      onNo={props.onClose}
      onYes={async () => {
        props.onClose();
        const answer = await perform(`keys/${revoked.id}/revoke`, { last_too: isLast });
        props.onTrouble(answer.kind === "ok" ? undefined : refusalText(words, answer));
        await props.reload();
      }}
    />
  );
}
