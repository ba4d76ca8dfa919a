import { useRef, useState } from "preact/hooks";
import { Icon } from "../../../kit/icon.tsx";
import { Notice } from "../../../kit/notice.tsx";
import { ICONS } from "../../parts/icons.ts";
import { useRouter } from "../../router.ts";
import { saveFile } from "../../save-file.ts";
import { useAccount } from "../../session.ts";
import type { CheckAnswer } from "../../wire/pay-out.ts";
import type { Project } from "../../wire/reports.ts";
import { refusalText, useSpeech } from "../../words/words.ts";
import { pathAfterCheck } from "./after-check.ts";
import { FaultList } from "./fault-list.tsx";

const FILE_BYTES_MAX = 5 * 1024 * 1024;

type Faults = Extract<CheckAnswer, { readonly result: "faults" }>;

/** Many payouts at once: the server judges the whole file, and the person sees all of it before anything is paid. */
export function PayoutFile({ project }: { readonly project: Project }) {
  const { words } = useSpeech();
  const { perform } = useAccount();
  const { go } = useRouter();
  const input = useRef<HTMLInputElement>(null);
  const [trouble, setTrouble] = useState<string>();
  const [faults, setFaults] = useState<Faults>();
  const [checking, setChecking] = useState<string>();
  const check = async (file: File) => {
    setTrouble(undefined);
    setFaults(undefined);
    if (file.size > FILE_BYTES_MAX) return setTrouble(words.payOut.tooLarge);
    const text = await textOf(file);
    if (text === undefined) return setTrouble(words.payOut.notUtf8);
    setChecking(file.name);
    const body = { project_id: project.id, file: { name: file.name.slice(-255), text } };
    const answer = await perform<CheckAnswer>("payout-batches/check", body);
    setChecking(undefined);
    // The same file, once corrected, must be a change again.
    if (input.current !== null) input.current.value = "";
    if (answer.kind !== "ok") return setTrouble(refusalText(words, answer));
    if (answer.value.result === "faults") setFaults(answer.value);
    else go(pathAfterCheck(answer.value));
  };
  return (
    <>
      <Notice text={trouble} />
      <p class="small">{words.payOut.fileText}</p>
      <label class="file-field">
        <Icon path={ICONS.file} />
        <span>{checking === undefined ? words.payOut.file : `${words.payOut.checking} ${checking}`}</span>
        <input
          ref={input}
          type="file"
          accept=".csv,text/csv"
          disabled={checking !== undefined}
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            if (file !== undefined) void check(file);
          }}
        />
      </label>
      <p role="status" class="unseen">
        {checking === undefined ? null : words.payOut.checking}
      </p>
      <button type="button" class="link-button" onClick={() => saveFile(template(words.payOut.columns), "payouts.csv")}>
        {words.payOut.template}
      </button>
      {faults === undefined ? null : <FaultList faults={faults} text={words.payOut.faultsText} />}
      <details class="columns-help">
        <summary>{words.payOut.columnsTitle}</summary>
        <dl class="facts">
          {Object.entries(words.payOut.columns).map(([name, meaning]) => (
            <div key={name}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  );
}

/** Without an example: rows that a person forgets to remove would be paid. */
function template(columns: Readonly<Record<string, string>>): Blob {
  return new Blob([`${Object.keys(columns).join(",")}\r\n`], { type: "text/csv" });
}

/** Undefined where the bytes are no UTF-8. */
async function textOf(file: File): Promise<string | undefined> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return undefined;
  }
}
