import { useState } from "preact/hooks";
import { Icon } from "../../kit/icon.tsx";
import { type Export, exportCsv } from "../export-csv.ts";
import { useSpeech } from "../words/words.ts";
import { ICONS } from "./icons.ts";

export function ExportButton({ path, fileName }: { readonly path: string; readonly fileName: string }) {
  const { language, words } = useSpeech();
  const [step, setStep] = useState<Export>({ kind: "none" });
  const size = (bytes: number) =>
    `${new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(bytes / 1_048_576)} MB`;
  return (
    <>
      <button
        type="button"
        class="quiet"
        aria-disabled={step.kind === "running"}
        onClick={() => {
          if (step.kind !== "running") void exportCsv(path, fileName, setStep);
        }}
      >
        <Icon path={ICONS.download} />
        {step.kind === "running" ? words.list.csvBusy(size(step.bytes)) : words.list.csv}
      </button>
      <span class="unseen" role="status">
        {step.kind === "done" ? words.list.csvDone : null}
      </span>
      {step.kind === "failed" ? (
        <span class="mistake" role="alert">
          {words.errors[step.code] ?? words.list.csvFailed}
        </span>
      ) : null}
    </>
  );
}
