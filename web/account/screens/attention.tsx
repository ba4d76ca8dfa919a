import { formatShortMoment } from "../../kit/dates.ts";
import { Icon } from "../../kit/icon.tsx";
import { countText } from "../parts/figures.tsx";
import { ICONS } from "../parts/icons.ts";
import { Link } from "../parts/link.tsx";
import { useScope } from "../projects.ts";
import { mayDo, useAccount } from "../session.ts";
import type { AttentionItem } from "../wire/reports.ts";
import { withQuery } from "../with-query.ts";
import { useSpeech } from "../words/words.ts";

/** What waits for a person; the disputes are a list to open. */
export function Attention({ items }: { readonly items: readonly AttentionItem[] }) {
  const { words } = useSpeech();
  const { nameOf } = useScope();
  if (items.length === 0) return null;
  return (
    <section class="attention" aria-label={words.overview.attention}>
      <ul>
        {items.map((item) => (
          <li key={JSON.stringify(item)}>
            <Icon path={ICONS.exclamation} />
            <span>
              <Said item={item} />
              {item.project_id === null ? null : <span class="small"> · {nameOf(item.project_id)}</span>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Said({ item }: { readonly item: AttentionItem }) {
  const { language, words } = useSpeech();
  switch (item.kind) {
    case "key_expires":
      return (
        <EndingKey
          item={item}
          said={words.overview.keyExpires(item.label, formatShortMoment(item.not_after, language))}
        />
      );
    case "limit_near":
      return (
        <>
          {words.overview.limitNear}: {item.type === "payin" ? words.overview.payins : words.overview.payouts},{" "}
          {item.currency}
        </>
      );
    case "disputes":
      return (
        <>
          <Counted item={item} />{" "}
          <Link to={withQuery("payments", { status: "dispute", project: item.project_id })}>
            {words.overview.payins}
          </Link>{" "}
          <Link to={withQuery("payouts", { status: "dispute", project: item.project_id })}>
            {words.overview.payouts}
          </Link>
        </>
      );
    case "waiting_batches":
      return (
        <>
          <Counted item={item} />{" "}
          <Link to={withQuery("pay-out", { project: item.project_id })}>{words.nav.payOut}</Link>
        </>
      );
    default:
      return (
        <>
          <Counted item={item} /> <CallbackLink item={item} />
        </>
      );
  }
}

/** To the callbacks, for those who may see them. */
function CallbackLink({ item }: { readonly item: Extract<AttentionItem, { readonly count: number }> }) {
  const { words } = useSpeech();
  const { session } = useAccount();
  if (!mayDo(session, "callbacks.manage")) return null;
  const view = item.kind === "disabled_callback_urls" ? "setup" : undefined;
  return <Link to={withQuery("callbacks", { project: item.project_id, view })}>{words.nav.callbacks}</Link>;
}

function Counted({ item }: { readonly item: Extract<AttentionItem, { readonly count: number }> }) {
  const { language, words } = useSpeech();
  return (
    <>
      {words.overview.attentionKinds[item.kind] ?? item.kind}: <strong>{countText(item.count, language)}</strong>
    </>
  );
}

/** Those who can replace the key are led to it. */
function EndingKey(props: {
  readonly item: Extract<AttentionItem, { readonly kind: "key_expires" }>;
  readonly said: string;
}) {
  const { session } = useAccount();
  if (!mayDo(session, "keys.manage")) return <>{props.said}</>;
  return <Link to={withQuery("keys", { project: props.item.project_id })}>{props.said}</Link>;
}
