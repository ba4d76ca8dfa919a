import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { SelectField } from "../account/parts/fields.tsx";
import { moneyText } from "../account/parts/figures.tsx";
import { useSpeech } from "../account/words/words.ts";
import { Notice } from "../kit/notice.tsx";
import { ActionButton } from "./action-button.tsx";
import { ACTION_GROUPS, actionsOf, DECLINE_REASONS, isOver, payerActionsOf } from "./actions.ts";
import { OtherAmount } from "./other-amount.tsx";
import { type ActProps, type Acts, useActs } from "./use-acts.ts";
import { useDeskWords } from "./words/words.ts";

/** What differs from the sum where money arrives short or over. */
const DIFFERENCE_MINOR = 100;

/** A button for each thing that can happen; each says its payment to those who hear the page. */
export function PaymentActions({ payment, onDone }: ActProps) {
  const { language } = useSpeech();
  const desk = useDeskWords();
  const acts = useActs({ payment, onDone });
  const { kind, currency } = payment;
  const difference = moneyText(DIFFERENCE_MINOR, currency, language);
  const nameOf = (action: string) => (desk.actions[kind][action] ?? (() => action))(difference);
  return (
    <div class="desk-actions" aria-busy={acts.isBusy}>
      <Notice text={acts.trouble} />
      <p class="done" role="status">
        {acts.isUnseen ? desk.unseen : null}
      </p>
      {ACTION_GROUPS.map((group) => (
        <Group key={group} name={desk.groups[group]}>
          {[
            ...actionsOf(payment, group).map((action) =>
              action === "decline" ? (
                <Decline key={action} name={nameOf(action)} acts={acts} />
              ) : (
                <ActionButton key={action} name={nameOf(action)} acts={acts} onClick={() => acts.act({ action })} />
              ),
            ),
            ...(group === "money" && payment.actions.includes("arrive")
              ? [<OtherAmount key="other" acts={acts} onChosen={(amount) => acts.act({ action: "arrive", amount })} />]
              : []),
            ...(group === "bank" && payment.actions.includes("approve")
              ? [
                  <ActionButton
                    key="approve_over"
                    name={desk.approveOver(difference)}
                    acts={acts}
                    onClick={() => acts.act({ action: "approve", amount: payment.amount + DIFFERENCE_MINOR })}
                  />,
                ]
              : []),
            ...(group === "time" && payment.expires_at !== undefined && !isOver(payment)
              ? [<ActionButton key="expiry" name={desk.toExpiry} acts={acts} onClick={acts.moveToExpiry} />]
              : []),
          ]}
        </Group>
      ))}
      <Group name={desk.groups.payer}>
        {payerActionsOf(payment).map((action) => (
          <ActionButton
            key={action}
            name={desk.payerActions[action] ?? action}
            acts={acts}
            onClick={() => acts.tell(action)}
          />
        ))}
      </Group>
    </div>
  );
}

function Group({ name, children }: { readonly name: string; readonly children: readonly ComponentChildren[] }) {
  return children.length === 0 ? null : (
    <fieldset class="desk-group">
      <legend>{name}</legend>
      <div class="desk-buttons">{children}</div>
    </fieldset>
  );
}

/** An issuer says why. */
function Decline({ name, acts }: { readonly name: string; readonly acts: Acts }) {
  const desk = useDeskWords();
  const [reason, setReason] = useState<string>(DECLINE_REASONS[0]);
  return (
    <span class="desk-decline">
      <ActionButton name={name} acts={acts} onClick={() => acts.act({ action: "decline", reason })} />
      <SelectField
        label={desk.reason}
        isLabelHidden
        value={reason}
        options={DECLINE_REASONS.map((each) => ({ value: each, name: desk.reasons[each] ?? each }))}
        onChange={setReason}
      />
    </span>
  );
}
