import { useState } from "preact/hooks";
import { ConfirmDialog } from "../../kit/dialog.tsx";
import { Heading } from "../../kit/heading.tsx";
import { formatMoney, plainAmount } from "../../kit/money.ts";
import { nameOfBank } from "../banks/bank-name.ts";
import type { AccountRequisites, CardRequisites, PhoneRequisites, Requisites } from "../contract.ts";
import { ChangeMethod } from "../parts/change-method.tsx";
import { CopyField } from "../parts/copy-field.tsx";
import { LinkCode } from "../parts/link-code.tsx";
import { OpenBankApp } from "../parts/open-bank-app.tsx";
import { WayBack } from "../parts/way-back.tsx";
import type { ShownBank } from "../view.ts";
import { useSpeech } from "../words/words.ts";
import type { StepProps } from "./step-props.ts";

type Question = "confirm" | "cancel";

export function Transfer(props: StepProps) {
  const { view } = props;
  const { language, words } = useSpeech();
  const amount = formatMoney(view, language);
  const { requisites } = view;
  return (
    <section>
      <Heading>{words.headings.transfer}</Heading>
      {requisites === undefined ? null : (
        <>
          <OpenBankApp view={view} />
          {requisites.type === "link" ? <LinkCode url={requisites.url ?? ""} /> : null}
          <dl class="requisites">
            <CopyField label={words.transfer.exactly} shown={amount} copied={plainAmount(view)} />
            <Receiver requisites={requisites} receiverBank={view.receiver_bank} />
          </dl>
          <ol class="steps">
            {words.transfer.steps(requisites.type, amount).map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ol>
        </>
      )}
      <Questions {...props} />
    </section>
  );
}

/** Money that was sent may still be counted; no more is to be sent, so the receiver is not shown. */
export function Overdue(props: StepProps) {
  const { words } = useSpeech();
  return (
    <section>
      <Heading>{words.headings.overdue}</Heading>
      <p>{words.overdue.sent}</p>
      <p>{words.overdue.notSent}</p>
      <Questions {...props} />
      <div class="buttons">
        <WayBack view={props.view} look="quiet" />
      </div>
    </section>
  );
}

/** Where the money goes: by the number of a card, a phone or an account, whichever there is. */
type Numbers = Partial<
  Pick<CardRequisites, "pan"> & Pick<PhoneRequisites, "phone"> & Pick<AccountRequisites, "account_number">
>;
type Shown = Pick<Requisites, "type" | "holder" | "bank" | "bank_name"> & Numbers;

type ReceiverProps = { readonly requisites: Shown; readonly receiverBank: ShownBank | undefined };

function Receiver({ requisites, receiverBank }: ReceiverProps) {
  const { language, words } = useSpeech();
  const { type, holder, bank_name, bank } = requisites;
  const value = requisites.pan ?? requisites.phone ?? requisites.account_number;
  const bankName = receiverBank === undefined ? (bank_name ?? bank) : nameOfBank(receiverBank, language);
  return (
    <>
      {value === undefined ? null : (
        <CopyField
          label={words.transfer.numbers[type]}
          shown={groupForReading(type, value)}
          // Names of accounts may have letters; numbers are wanted without anything between or before.
          copied={type === "account" ? value : value.replace(/\D/g, "")}
        />
      )}
      {bankName === undefined ? null : <Fact label={words.transfer.bank} text={bankName} />}
      {holder === undefined ? null : <Fact label={words.transfer.holder} text={holder} />}
    </>
  );
}

/** As people compare it: cards in fours, phones of +7 as they are spoken. Others are shown as they came. */
function groupForReading(type: Requisites["type"], value: string): string {
  if (type === "card") return value.replace(/(.{4})(?=.)/g, "$1 ");
  return value.replace(/^(\+7)(\d{3})(\d{3})(\d{2})(\d{2})$/, "$1 $2 $3 $4 $5");
}

function Fact({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div class="fact">
      <dt>{label}</dt>
      <dd>{text}</dd>
    </div>
  );
}

/** What the server lets the payer say, each with a confirmation. */
export function Questions({ view, perform }: StepProps) {
  const { language, words } = useSpeech();
  const [asking, setAsking] = useState<Question>();
  const answer = (yes: boolean) => {
    setAsking(undefined);
    if (yes && asking !== undefined) perform(asking);
  };
  const { confirmPaid, confirmCancel } = words;
  const wasNotChosen = view.actions.includes("choose");
  return (
    <div class="buttons">
      {view.actions.includes("confirm") ? (
        <button type="button" class="primary" onClick={() => setAsking("confirm")}>
          {words.transfer.paid}
        </button>
      ) : null}
      <ChangeMethod view={view} perform={perform} />
      {view.actions.includes("cancel") ? (
        <button type="button" class="quiet" onClick={() => setAsking("cancel")}>
          {words.transfer.cancel}
        </button>
      ) : null}
      {asking === "confirm" ? (
        <ConfirmDialog
          title={confirmPaid.title}
          text={confirmPaid.text(formatMoney(view, language))}
          yes={confirmPaid.yes}
          no={confirmPaid.no}
          offered="yes"
          onYes={() => answer(true)}
          onNo={() => answer(false)}
        />
      ) : null}
      {asking === "cancel" ? (
        <ConfirmDialog
          title={confirmCancel.title}
          text={wasNotChosen ? confirmCancel.textUnpaid : confirmCancel.text}
          yes={confirmCancel.yes}
          no={confirmCancel.no}
          offered="no"
          onYes={() => answer(true)}
          onNo={() => answer(false)}
        />
      ) : null}
    </div>
  );
}
