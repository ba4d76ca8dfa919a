import { useState } from "preact/hooks";
import { SelectField } from "../account/parts/fields.tsx";
import { countText } from "../account/parts/figures.tsx";
import { Panel } from "../account/parts/panel.tsx";
import { refusalText, useSpeech } from "../account/words/words.ts";
import { Notice } from "../kit/notice.tsx";
import { type DeskBody, useDoor } from "./door.ts";
import {
  FAULT_CALLS,
  FAULT_CHOICES,
  FAULT_NAMES,
  FAULT_TIMES,
  type FaultCall,
  type FaultName,
} from "./fault-choices.ts";
import type { OrderedFault } from "./wire.ts";
import { useDeskWords } from "./words/words.ts";

type FaultProps = { readonly faults: readonly OrderedFault[]; readonly onDone: () => Promise<void> };

/** Makes the provider misbehave at its next calls. */
export function Faults({ faults, onDone }: FaultProps) {
  const desk = useDeskWords();
  const [name, setName] = useState<FaultName>("slow");
  const [call, setCall] = useState<FaultCall>("answer");
  const [times, setTimes] = useState<(typeof FAULT_TIMES)[number]>("1");
  const { trouble, order, clear } = useOrders(onDone);
  const choice = FAULT_CHOICES[name];
  const submit = (event: Event) => {
    event.preventDefault();
    void order({
      kind: choice.kind,
      ...(choice.isOfCalls ? { call } : {}),
      ...("ms" in choice ? { ms: choice.ms } : {}),
      times: times === "always" ? times : Number(times),
    });
  };
  return (
    <Panel title={desk.faults} text={desk.faultsText}>
      <form class="fault-form" onSubmit={submit}>
        <Notice text={trouble} />
        <SelectField
          label={desk.faultWhat}
          value={name}
          options={FAULT_NAMES.map((each) => ({ value: each, name: desk.faultKinds[each] ?? each }))}
          onChange={(next) => setName(FAULT_NAMES.find((each) => each === next) ?? name)}
        />
        {choice.isOfCalls ? (
          <SelectField
            label={desk.faultWhen}
            value={call}
            options={FAULT_CALLS.map((each) => ({ value: each, name: desk.faultCalls[each] ?? each }))}
            onChange={(next) => setCall(FAULT_CALLS.find((each) => each === next) ?? call)}
          />
        ) : null}
        <SelectField
          label={desk.faultTimes}
          value={times}
          options={FAULT_TIMES.map((each) => ({ value: each, name: desk.times[each] ?? each }))}
          onChange={(next) => setTimes(FAULT_TIMES.find((each) => each === next) ?? times)}
        />
        <button type="submit" class="primary">
          {desk.order}
        </button>
      </form>
      <OrderedFaults faults={faults} onClear={clear} />
    </Panel>
  );
}

function OrderedFaults({
  faults,
  onClear,
}: {
  readonly faults: readonly OrderedFault[];
  readonly onClear: () => void;
}) {
  const { language } = useSpeech();
  const desk = useDeskWords();
  if (faults.length === 0) return <p class="small">{desk.noFaults}</p>;
  const timesOf = ({ times }: OrderedFault) =>
    typeof times === "number" ? desk.timesLeft(countText(times, language)) : desk.times.always;
  return (
    <>
      <h3>{desk.ordered}</h3>
      <ul class="fault-list">
        {faults.map((fault, index) => (
          <li key={index} class="fault">
            {desk.faultKinds[fault.kind] ?? fault.kind}
            <span class="small">
              {[fault.call ? desk.faultCalls[fault.call] : undefined, timesOf(fault)]
                .filter((part) => part !== undefined)
                .join(" · ")}
            </span>
          </li>
        ))}
      </ul>
      <button type="button" class="quiet" onClick={onClear}>
        {desk.clear}
      </button>
    </>
  );
}

function useOrders(onDone: () => Promise<void>) {
  const { words } = useSpeech();
  const { ask } = useDoor();
  const [trouble, setTrouble] = useState<string>();
  const perform = async (name: string, body?: DeskBody) => {
    const answer = await ask(name, body);
    setTrouble(answer.kind === "ok" ? undefined : refusalText(words, answer));
    await onDone();
  };
  return {
    trouble,
    order: (fault: DeskBody) => perform("faults", fault),
    clear: () => void perform("faults/clear"),
  };
}
