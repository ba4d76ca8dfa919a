import { useEffect, useState } from "preact/hooks";
import { Notice } from "../../../kit/notice.tsx";
import { Modal } from "../../parts/modal.tsx";
import type { Refusal } from "../../server.ts";
import { useAccount } from "../../session.ts";
import type { KeyProject } from "../../wire/keys.ts";
import { refusalText, useSpeech } from "../../words/words.ts";
import { AreaField } from "./area-field.tsx";
import { projectLabel } from "./key-names.ts";

const ADDRESSES_MAX = 100;

/** Which calls a project accepts. */
export function ProjectRules(props: {
  readonly project: KeyProject;
  readonly onClose: () => void;
  /** Reads the project again. */
  readonly onSaved: () => Promise<void>;
}) {
  const { words } = useSpeech();
  const { perform } = useAccount();
  const { project } = props;
  const said = words.projectRules;
  const [isRequired, setRequired] = useState(project.scheme2_only);
  const [text, setText] = useState(project.allowed_ips.join("\n"));
  const [mistake, setMistake] = useState<string>();
  const [trouble, setTrouble] = useState<string>();
  // After a change by another person the form begins with what is true now.
  useEffect(() => {
    setRequired(project.scheme2_only);
    setText(project.allowed_ips.join("\n"));
  }, [project]);
  const lines = text.split(/[\s,;]+/).filter((line) => line !== "");
  const submit = async (event: Event) => {
    event.preventDefault();
    setTrouble(undefined);
    setMistake(lines.length > ADDRESSES_MAX ? said.tooMany : undefined);
    if (lines.length > ADDRESSES_MAX) return;
    const { scheme2_only, allowed_ips } = project;
    const answer = await perform(`projects/${project.id}/rules`, {
      ...{ scheme2_only: isRequired, allowed_ips: lines },
      seen: { scheme2_only, allowed_ips },
    });
    if (answer.kind === "ok") {
      await props.onSaved();
      return props.onClose();
    }
    if (answer.kind === "refused" && answer.code === "wrong_state") await props.onSaved();
    const wrong = wrongLine(answer, lines);
    if (wrong === undefined) setTrouble(refusalText(words, answer));
    else setMistake(said.lineWrong(wrong));
  };
  return (
    <Modal title={said.formTitle(projectLabel(project, words))} onClose={props.onClose}>
      <form onSubmit={submit}>
        <Notice text={trouble} />
        <label class="switch rule-switch">
          <input type="checkbox" checked={isRequired} onChange={(event) => setRequired(event.currentTarget.checked)} />
          <span>
            {said.requireScheme2}
            <span class="small">{said.requireScheme2Text}</span>
          </span>
        </label>
        <AreaField
          label={said.allowed}
          value={text}
          rows={5}
          hint={said.allowedText}
          mistake={mistake}
          onInput={setText}
        />
        <button type="submit" class="primary wide">
          {said.save}
        </button>
      </form>
    </Modal>
  );
}

/** `allowed_ips.2` is the third line. */
function wrongLine(refusal: Refusal, lines: readonly string[]): string | undefined {
  const [field = ""] = refusal.kind === "refused" ? (refusal.fields ?? []) : [];
  const place = /^allowed_ips\.(\d+)$/.exec(field)?.[1];
  return place === undefined ? undefined : lines[Number(place)];
}
