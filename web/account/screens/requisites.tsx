import { useEffect, useState } from "preact/hooks";
import { Notice } from "../../kit/notice.tsx";
import { CopyText } from "../parts/copy-text.tsx";
import { Facts } from "../parts/facts.tsx";
import { Panel } from "../parts/panel.tsx";
import { mayDo, useAccount } from "../session.ts";
import type { PaymentDetail } from "../wire/reports.ts";
import type { RevealedPlace } from "../wire/settings.ts";
import { refusalText, useSpeech } from "../words/words.ts";

const SHOWN_S = 60;

/** Where the money was to go: masked, and in full for a minute to a person who may see it. */
export function RequisitesPanel({ detail }: { readonly detail: PaymentDetail }) {
  const { words } = useSpeech();
  const { session } = useAccount();
  const { place, secondsLeft, trouble, show, hide } = useReveal(detail.payment.request_id);
  const { requisites } = detail;
  if (requisites === null) return null;
  const isCard = requisites.brand !== undefined;
  const isUnreadable = requisites.type === "unreadable";
  const shown = place ?? { ...requisites, holder: undefined };
  const name = words.requisiteKinds[shown.type] ?? shown.type;
  return (
    <Panel title={words.payment.requisites}>
      <Notice text={trouble} />
      <Facts
        rows={[
          {
            key: "value",
            name,
            value: isUnreadable ? (
              words.payment.unreadable
            ) : place === undefined ? (
              shown.value
            ) : (
              <CopyText text={place.value} label={name} />
            ),
          },
          { key: "holder", name: words.reveal.holder, value: shown.holder },
          { key: "bank", name: words.payment.bank, value: shown.bank },
          { key: "brand", name: words.payment.brand, value: requisites.brand },
        ]}
      />
      {isCard ? <p class="small">{words.reveal.onlyMask}</p> : null}
      {isCard || isUnreadable || !mayDo(session, "requisites.reveal") ? null : (
        <div class="reveal">
          <button type="button" class="quiet" onClick={place === undefined ? show : hide}>
            {place === undefined ? words.reveal.show : words.reveal.hide}
          </button>
          <span class="small">{place === undefined ? words.reveal.text : words.reveal.hides(secondsLeft)}</span>
        </div>
      )}
    </Panel>
  );
}

/** It is held in memory alone, for a minute, and forgotten when the screen or the window is left. */
function useReveal(requestId: string) {
  const { words } = useSpeech();
  const { perform } = useAccount();
  const [place, setPlace] = useState<RevealedPlace>();
  const [secondsLeft, setSecondsLeft] = useState(SHOWN_S);
  const [trouble, setTrouble] = useState<string>();
  const hide = () => setPlace(undefined);
  const show = async () => {
    const answer = await perform<RevealedPlace>(`payments/${requestId}/reveal`);
    if (answer.kind !== "ok") return setTrouble(refusalText(words, answer));
    setTrouble(undefined);
    setSecondsLeft(SHOWN_S);
    setPlace(answer.value);
  };
  useEffect(() => {
    if (place === undefined) return;
    const endMs = performance.now() + SHOWN_S * 1_000;
    const timer = setInterval(() => {
      const left = Math.ceil((endMs - performance.now()) / 1_000);
      setSecondsLeft(Math.max(0, left));
      if (left <= 0) hide();
    }, 1_000);
    const onLeft = () => {
      if (document.hidden) hide();
    };
    document.addEventListener("visibilitychange", onLeft);
    addEventListener("pagehide", hide);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", onLeft);
      removeEventListener("pagehide", hide);
    };
  }, [place]);
  return { place, secondsLeft, trouble, show, hide };
}
