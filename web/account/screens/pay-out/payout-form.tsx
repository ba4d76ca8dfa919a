import { useState } from "preact/hooks";
import { Notice } from "../../../kit/notice.tsx";
import { SelectField, TextField } from "../../parts/fields.tsx";
import { moneyText } from "../../parts/figures.tsx";
import { useRouter } from "../../router.ts";
import { useAccount } from "../../session.ts";
import type { BatchFault, CheckAnswer, PayoutOption, PayoutOptions } from "../../wire/pay-out.ts";
import type { Project } from "../../wire/reports.ts";
import { refusalText, useSpeech } from "../../words/words.ts";
import { pathAfterCheck } from "./after-check.ts";
import { faultText } from "./fault-list.tsx";

type Cells = Readonly<Record<string, string>>;

/** One payout. Which fields there are depends on the method. */
export function PayoutForm({ project, options }: { readonly project: Project; readonly options: PayoutOptions }) {
  const { words } = useSpeech();
  const { perform } = useAccount();
  const { go } = useRouter();
  const [cells, setCells] = useState<Cells>({});
  const [faults, setFaults] = useState<readonly BatchFault[]>([]);
  const [trouble, setTrouble] = useState<string>();
  const [isChecking, setChecking] = useState(false);
  const option = chosenOption(options, cells);
  const set = (name: string) => (value: string) => setCells({ ...cells, [name]: value });
  const mistakeOf = (column: string) => {
    const fault = faults.find((each) => each.column === column);
    return fault === undefined ? undefined : faultText(words, fault);
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isChecking) return;
    setTrouble(undefined);
    setChecking(true);
    const payout = cellsOf(option, cells);
    const answer = await perform<CheckAnswer>("payout-batches/check", { project_id: project.id, payout });
    setChecking(false);
    if (answer.kind !== "ok") return setTrouble(refusalText(words, answer));
    if (answer.value.result !== "faults") return go(pathAfterCheck(answer.value));
    setFaults(answer.value.faults);
    const whole = answer.value.faults.find(({ column }) => column === null || !(column in payout));
    setTrouble(whole === undefined ? words.errors.validation_failed : faultText(words, whole));
  };
  return (
    <form onSubmit={submit} noValidate>
      <Notice text={trouble} />
      <div class="pay-fields">
        <MethodFields options={options} option={option} onChange={(next) => setCells({ ...cells, ...next })} />
        <AmountField option={option} value={cells.amount ?? ""} mistake={mistakeOf("amount")} onInput={set("amount")} />
        {[...option.required, ...option.optional].map((name) =>
          name === "bank" ? (
            <BankField
              key={name}
              options={options}
              option={option}
              value={cells.bank ?? ""}
              mistake={mistakeOf("bank")}
              onChange={set("bank")}
            />
          ) : (
            <TextField
              key={name}
              name={name}
              label={labelOf(words.payOut.fields[name] ?? name, option.optional.includes(name), words.payOut.optional)}
              hint={words.payOut.hints[name]}
              mistake={mistakeOf(name)}
              value={cells[name] ?? ""}
              isNumber={name === "pan"}
              onInput={set(name)}
            />
          ),
        )}
        <TextField
          name="description"
          label={labelOf(words.payOut.description, true, words.payOut.optional)}
          mistake={mistakeOf("description")}
          value={cells.description ?? ""}
          onInput={set("description")}
        />
        <TextField
          name="payment_id"
          label={labelOf(words.payOut.paymentId, true, words.payOut.optional)}
          hint={words.payOut.paymentIdHint}
          mistake={mistakeOf("payment_id")}
          value={cells.payment_id ?? ""}
          onInput={set("payment_id")}
        />
      </div>
      <p class="pay-act">
        <button type="submit" class="primary" aria-disabled={isChecking}>
          {isChecking ? words.payOut.checking : words.payOut.check}
        </button>
        <span class="small">{words.payOut.checkText}</span>
      </p>
    </form>
  );
}

function labelOf(label: string, isOptional: boolean, optional: string): string {
  return isOptional ? `${label} (${optional})` : label;
}

function chosenOption({ methods }: PayoutOptions, { method, currency }: Cells): PayoutOption {
  const ofMethod = methods.filter((each) => each.method === (method ?? methods[0]?.method));
  const found = ofMethod.find((each) => each.currency === currency) ?? ofMethod[0];
  if (found === undefined) throw new Error("a form needs a method");
  return found;
}

/** What is sent: the fields that the method shows, so that nothing of another method is left in it. */
function cellsOf({ method, currency, required, optional }: PayoutOption, cells: Cells): Cells {
  const names = ["amount", ...required, ...optional, "description", "payment_id"];
  const typed = names.map((name) => [name, (cells[name] ?? "").trim()]);
  return { method, currency, ...Object.fromEntries(typed), pan: (cells.pan ?? "").replaceAll(/[\s-]/g, "") };
}

function MethodFields(props: {
  readonly options: PayoutOptions;
  readonly option: PayoutOption;
  readonly onChange: (cells: Cells) => void;
}) {
  const { words } = useSpeech();
  const { methods } = props.options;
  const { method, currency } = props.option;
  const currencies = methods.filter((each) => each.method === method).map((each) => each.currency);
  return (
    <>
      <SelectField
        label={words.payOut.method}
        value={method}
        options={[...new Set(methods.map((each) => each.method))].map((value) => ({
          value,
          name: words.methods[value] ?? value,
        }))}
        onChange={(next) => props.onChange({ method: next, bank: "" })}
      />
      <SelectField
        label={words.payOut.currency}
        value={currency}
        options={currencies.map((value) => ({ value, name: value }))}
        onChange={(next) => props.onChange({ method, currency: next, bank: "" })}
      />
    </>
  );
}

function AmountField(props: {
  readonly option: PayoutOption;
  readonly value: string;
  readonly mistake: string | undefined;
  readonly onInput: (value: string) => void;
}) {
  const { language, words } = useSpeech();
  const { min, max, currency } = props.option;
  return (
    <TextField
      name="amount"
      label={`${words.payOut.amount}, ${currency}`}
      hint={words.payOut.amountHint(moneyText(min, currency, language), moneyText(max, currency, language))}
      mistake={props.mistake}
      value={props.value}
      onInput={props.onInput}
    />
  );
}

function BankField(props: {
  readonly options: PayoutOptions;
  readonly option: PayoutOption;
  readonly value: string;
  readonly mistake: string | undefined;
  readonly onChange: (value: string) => void;
}) {
  const { words } = useSpeech();
  const banks = props.options.banks.filter(({ symbol }) => props.option.banks.includes(symbol));
  const sorted = [...banks].sort((a, b) => a.name.localeCompare(b.name));
  return (
    <div>
      <SelectField
        label={words.payOut.fields.bank ?? ""}
        value={props.value}
        options={[
          { value: "", name: words.payOut.chooseBank },
          ...sorted.map(({ symbol, name }) => ({ value: symbol, name })),
        ]}
        onChange={props.onChange}
      />
      {props.mistake === undefined ? null : <p class="small mistake under-select">{props.mistake}</p>}
    </div>
  );
}
