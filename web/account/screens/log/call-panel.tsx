import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../../../kit/icon.tsx";
import { useLoad } from "../../load.ts";
import { Badge, BookMark } from "../../parts/badge.tsx";
import { CopyBlock, CopyText } from "../../parts/copy-text.tsx";
import { Facts } from "../../parts/facts.tsx";
import { countText, When } from "../../parts/figures.tsx";
import { ICONS } from "../../parts/icons.ts";
import { Link } from "../../parts/link.tsx";
import { EmptyState, Shown } from "../../parts/states.tsx";
import { useScope } from "../../projects.ts";
import type { CallDetail } from "../../wire/log.ts";
import { useSpeech } from "../../words/words.ts";
import { latencyText, toneOf } from "./call-text.ts";

/** One call with what was sent and what was answered. */
export function CallPanel({ id, closeTo }: { readonly id: string; readonly closeTo: string }) {
  const { words } = useSpeech();
  const loaded = useLoad<CallDetail>(`log/${encodeURIComponent(id)}`);
  const heading = useRef<HTMLHeadingElement>(null);
  const isMissing = loaded.trouble?.kind === "refused" && [400, 404].includes(loaded.trouble.status);
  // A reader who chose a call is taken to it.
  useEffect(() => heading.current?.focus(), []);
  return (
    <section class="panel call-panel" aria-labelledby="call-heading">
      <div class="panel-head">
        <h2 id="call-heading" ref={heading} tabIndex={-1}>
          {words.log.detail}
        </h2>
        <Link to={closeTo} look="icon-button">
          <Icon path={ICONS.cross} />
          <span class="unseen">{words.log.close}</span>
        </Link>
      </div>
      {isMissing ? (
        <EmptyState icon={ICONS.log} title={words.log.missing} text={words.log.missingText} />
      ) : (
        <Shown loaded={loaded}>{(detail) => <Detail detail={detail} />}</Shown>
      )}
    </section>
  );
}

function Detail({ detail }: { readonly detail: CallDetail }) {
  const { language, words } = useSpeech();
  const { call, request, answer, curl } = detail;
  const sizeText = (size: number) => words.log.bytes(countText(size, language));
  return (
    <>
      <p class="call-line">
        <Badge tone={toneOf(call.status)}>{call.status}</Badge>
        <code>
          {call.method} {call.path}
        </code>
        <BookMark book={call.book} />
      </p>
      {call.code === null ? null : (
        <p class="notice call-error">
          <strong>{call.code}</strong>
          {call.message === null ? null : <span>{call.message}</span>}
        </p>
      )}
      {call.is_signed ? null : <p class="small">{words.log.unsignedText}</p>}
      <CallFacts call={call} />
      <BodyText title={words.log.request(sizeText(call.request_size))} text={request} />
      <BodyText title={words.log.answer(sizeText(call.answer_size))} text={answer} />
      <h3>{words.log.curl}</h3>
      <p class="small">{words.log.curlText}</p>
      <CopyBlock text={curl} label={words.log.curl} button={words.log.copyCurl} />
    </>
  );
}

function CallFacts({ call }: Pick<CallDetail, "call">) {
  const { language, words } = useSpeech();
  const { nameOf } = useScope();
  const { key, payment_id, request_id } = call;
  const list = call.path.includes("/payout") ? "payouts" : "payments";
  return (
    <Facts
      rows={[
        { key: "at", name: words.log.at, value: <When at={call.at} full /> },
        { key: "latency", name: words.log.latency, value: words.log.ms(latencyText(call.latency_ms, language)) },
        { key: "id", name: words.log.requestId, value: <CopyText text={call.id} label={words.log.requestId} /> },
        {
          key: "key",
          name: words.log.key,
          value: key === null ? words.log.noKey : key.label || words.log.keyUnnamed(key.id),
        },
        { key: "address", name: words.log.address, value: call.address },
        { key: "project", name: words.log.project, value: nameOf(call.project_id) },
        {
          key: "payment",
          name: words.log.payment,
          value:
            request_id === null ? (
              payment_id
            ) : (
              <>
                {payment_id} <Link to={`${list}/${request_id}`}>{words.log.openPayment}</Link>
              </>
            ),
        },
        { key: "replay", name: words.log.replay, value: call.is_replay ? words.log.replayText : null },
      ]}
    />
  );
}

function BodyText({ title, text }: { readonly title: string; readonly text: string }) {
  const { words } = useSpeech();
  return (
    <>
      <h3>{title}</h3>
      {text === "" ? (
        <p class="small">{words.log.emptyBody}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and a keyboard must be able to scroll it
        <section class="scroll-text" aria-label={title} tabIndex={0}>
          <pre>{prettyText(text)}</pre>
        </section>
      )}
    </>
  );
}

/** A body that was cut, or that is no JSON, is shown as it is. */
function prettyText(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
