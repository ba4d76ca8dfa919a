import { useState } from "preact/hooks";
import { decimalsOf } from "../../../kit/currencies.ts";
import { plainAmount } from "../../../kit/money.ts";
import { Notice } from "../../../kit/notice.tsx";
import { minorText } from "../../filters.ts";
import { useLoad } from "../../load.ts";
import { TextField } from "../../parts/fields.tsx";
import { moneyText } from "../../parts/figures.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Shown } from "../../parts/states.tsx";
import { mayDo, useAccount } from "../../session.ts";
import type { ApprovalLimits } from "../../wire/pay-out.ts";
import { refusalText, useSpeech } from "../../words/words.ts";

/** Above which sums a second person approves. Owners set it; the others see what holds. */
export function ApprovalLimitsPanel() {
  const { language, words } = useSpeech();
  const { session } = useAccount();
  const loaded = useLoad<ApprovalLimits>("payout-approval");
  if (!mayDo(session, "security.manage")) {
    const limits = loaded.value?.limits ?? [];
    if (limits.length === 0) return null;
    const texts = limits.map(({ currency, amount }) => moneyText(amount, currency, language));
    return <p class="small limits-read">{words.payOut.limitRead(texts.join(", "))}</p>;
  }
  return (
    <Panel title={words.payOut.approvalTitle} text={words.payOut.approvalText}>
      <Shown loaded={loaded}>
        {(approval) => (
          <div class="limit-forms">
            {currenciesOf(approval).map((currency) => (
              <LimitForm key={currency} currency={currency} approval={approval} onSaved={loaded.reload} />
            ))}
          </div>
        )}
      </Shown>
    </Panel>
  );
}

function currenciesOf({ currencies, limits }: ApprovalLimits): string[] {
  return [...new Set([...currencies, ...limits.map(({ currency }) => currency)])].sort();
}

function LimitForm(props: {
  readonly currency: string;
  readonly approval: ApprovalLimits;
  readonly onSaved: () => Promise<void>;
}) {
  const { words } = useSpeech();
  const { perform } = useAccount();
  const { currency } = props;
  const decimals = decimalsOf(currency);
  const limit = props.approval.limits.find((each) => each.currency === currency);
  const saved = limit === undefined ? "" : plainAmount({ amount: limit.amount, currency, decimals });
  const [text, setText] = useState(saved);
  const [trouble, setTrouble] = useState<string>();
  const [isSaved, setSaved] = useState(false);
  const typed = text.trim();
  const amount = typed === "" ? null : minorText(typed, decimals);
  const save = async (event: Event) => {
    event.preventDefault();
    setSaved(false);
    setTrouble(undefined);
    if (amount === undefined) return;
    const answer = await perform("payout-approval", { currency, amount: amount === null ? null : Number(amount) });
    if (answer.kind !== "ok") return setTrouble(refusalText(words, answer));
    setSaved(true);
    await props.onSaved();
  };
  return (
    <form class="limit-form" onSubmit={save}>
      <Notice text={trouble} />
      <TextField
        label={words.payOut.limitOf(currency)}
        value={text}
        placeholder={words.payOut.limitNone}
        mistake={amount === undefined ? words.list.amountWrong : undefined}
        onInput={(next) => {
          setText(next);
          setSaved(false);
        }}
      />
      {typed === saved ? null : (
        <button type="submit" class="quiet">
          {words.save}
        </button>
      )}
      <p class="done" role="status">
        {isSaved ? words.payOut.limitSaved : null}
      </p>
    </form>
  );
}
