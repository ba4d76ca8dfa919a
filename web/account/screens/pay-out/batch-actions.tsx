import { useState } from "preact/hooks";
import { ConfirmDialog } from "../../../kit/dialog.tsx";
import { Notice } from "../../../kit/notice.tsx";
import { TextField } from "../../parts/fields.tsx";
import { countText } from "../../parts/figures.tsx";
import { Modal } from "../../parts/modal.tsx";
import { useRouter } from "../../router.ts";
import { useAccount } from "../../session.ts";
import type { BatchView, CheckAnswer } from "../../wire/pay-out.ts";
import { refusalText, useSpeech } from "../../words/words.ts";
import { pathAfterCheck } from "./after-check.ts";
import { FaultList } from "./fault-list.tsx";

type Faults = Extract<CheckAnswer, { readonly result: "faults" }>;

/** What the reader may do with a batch now. Only its own answer says that something was done. */
export function BatchActions(props: { readonly view: BatchView; readonly reload: () => Promise<void> }) {
  const { words } = useSpeech();
  const { perform } = useAccount();
  const { go } = useRouter();
  const [trouble, setTrouble] = useState<string>();
  const [faults, setFaults] = useState<Faults>();
  const [asked, setAsked] = useState<"withdraw" | "refuse">();
  const [isBusy, setBusy] = useState(false);
  const { batch, may } = props.view;
  const act = async (what: string, body?: object) => {
    if (isBusy) return;
    setTrouble(undefined);
    setAsked(undefined);
    setBusy(true);
    const answer = await perform(`payout-batches/${batch.id}/${what}`, body);
    // Also after silence: the batch itself says whether it was done.
    await props.reload();
    setBusy(false);
    if (answer.kind !== "ok") setTrouble(refusalText(words, answer));
  };
  const retry = async () => {
    const answer = await perform<CheckAnswer>(`payout-batches/${batch.id}/retry`);
    if (answer.kind !== "ok") return setTrouble(refusalText(words, answer));
    if (answer.value.result === "faults") setFaults(answer.value);
    else go(pathAfterCheck(answer.value));
  };
  return (
    <>
      <Notice text={trouble} />
      {faults === undefined ? null : <FaultList faults={faults} text={words.payOut.retryFaults} />}
      <Buttons view={props.view} isBusy={isBusy} act={act} retry={retry} ask={setAsked} />
      {asked === "refuse" ? (
        <Refuse onClose={() => setAsked(undefined)} onRefuse={(reason) => act("refuse", { reason })} />
      ) : null}
      {asked === "withdraw" && may.withdraw ? (
        <ConfirmDialog
          {...words.payOut.withdrawQuestion}
          offered="no"
          onNo={() => setAsked(undefined)}
          onYes={() => void act("withdraw")}
        />
      ) : null}
    </>
  );
}

function Buttons(props: {
  readonly view: BatchView;
  readonly isBusy: boolean;
  readonly act: (what: string) => void;
  readonly retry: () => void;
  readonly ask: (what: "withdraw" | "refuse") => void;
}) {
  const { language, words } = useSpeech();
  const { batch, may, exceeded } = props.view;
  const { refused, failed } = batch.progress;
  if (!Object.values(may).some(Boolean)) return null;
  return (
    <div class="batch-acts">
      {may.confirm ? (
        <button type="button" class="primary" aria-disabled={props.isBusy} onClick={() => props.act("confirm")}>
          {exceeded.length > 0
            ? words.payOut.confirmForApproval
            : words.payOut.confirm(countText(batch.row_count, language))}
        </button>
      ) : null}
      {may.decide ? (
        <>
          <button type="button" class="primary" aria-disabled={props.isBusy} onClick={() => props.act("approve")}>
            {words.payOut.approve}
          </button>
          <button type="button" class="quiet" onClick={() => props.ask("refuse")}>
            {words.payOut.refuse}
          </button>
        </>
      ) : null}
      {may.withdraw ? (
        <button type="button" class="quiet" onClick={() => props.ask("withdraw")}>
          {batch.state === "checked" ? words.payOut.discard : words.payOut.withdraw}
        </button>
      ) : null}
      {may.retry ? (
        <button type="button" class="quiet" onClick={props.retry}>
          {words.payOut.retry(countText(refused + failed, language))}
        </button>
      ) : null}
    </div>
  );
}

function Refuse(props: { readonly onClose: () => void; readonly onRefuse: (reason: string) => void }) {
  const { words } = useSpeech();
  const [reason, setReason] = useState("");
  return (
    <Modal title={words.payOut.refuseTitle} onClose={props.onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (reason.trim() !== "") props.onRefuse(reason.trim());
        }}
      >
        <TextField label={words.payOut.refuseReason} value={reason} maxLength={500} isRequired onInput={setReason} />
        <button type="submit" class="primary wide">
          {words.payOut.refuse}
        </button>
      </form>
    </Modal>
  );
}
