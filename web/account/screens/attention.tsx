import type { ComponentChildren } from "preact";
import { formatShortMoment } from "../../kit/dates.ts";
import { Icon } from "../../kit/icon.tsx";
import { countText } from "../parts/figures.tsx";
import { ICONS } from "../parts/icons.ts";
import { Link } from "../parts/link.tsx";
import { useScope } from "../projects.ts";
import { withQuery } from "../router.ts";
import type { Attention as AttentionOfMerchant } from "../wire/reports.ts";
import { useSpeech } from "../words/words.ts";

type Line = { readonly key: string; readonly said: ComponentChildren };

/** What waits for a person; the disputes are a list to open. */
export function Attention({ attention }: { readonly attention: AttentionOfMerchant }) {
  const { words } = useSpeech();
  const lines = [...useCounts(attention), ...useKeysAndLimits(attention)];
  if (lines.length === 0) return null;
  return (
    <section class="attention" aria-label={words.overview.attention}>
      <ul>
        {lines.map(({ key, said }) => (
          <li key={key}>
            <Icon path={ICONS.exclamation} />
            <span>{said}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const COUNTED = ["disputes", "dead_callbacks", "disabled_urls"] as const;

function useCounts(attention: AttentionOfMerchant): Line[] {
  const { language, words } = useSpeech();
  const { nameOf } = useScope();
  return COUNTED.flatMap((kind) =>
    attention[kind].map(({ project_id, count }) => {
      const text = (
        <>
          {words.overview.attentionKinds[kind]}: <strong>{countText(count, language)}</strong>
        </>
      );
      return {
        key: `${kind}${project_id}`,
        said: (
          <>
            {kind === "disputes" ? (
              <Link to={withQuery("payments", { status: "dispute", project: project_id })}>{text}</Link>
            ) : (
              text
            )}
            <span class="small"> · {nameOf(project_id)}</span>
          </>
        ),
      };
    }),
  );
}

function useKeysAndLimits({ expiring_keys, near_limits }: AttentionOfMerchant): Line[] {
  const { language, words } = useSpeech();
  const { nameOf } = useScope();
  return [
    ...expiring_keys.map(({ id, label, project_id, not_after }) => ({
      key: id,
      said: (
        <>
          {words.overview.keyExpires(label, formatShortMoment(not_after, language))}
          {project_id === null ? null : <span class="small"> · {nameOf(project_id)}</span>}
        </>
      ),
    })),
    ...near_limits.map(({ project_id, direction, currency }) => ({
      key: `${project_id}${direction}${currency}`,
      said: (
        <>
          {words.overview.limitNear}
          <span class="small">
            {" "}
            · {direction === "payin" ? words.overview.payins : words.overview.payouts}, {currency} ·{" "}
            {nameOf(project_id)}
          </span>
        </>
      ),
    })),
  ];
}
