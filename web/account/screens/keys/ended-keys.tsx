import { useEffect, useState } from "preact/hooks";
import { usePages } from "../../pages.ts";
import { MoreButton } from "../../parts/more-button.tsx";
import { Shown } from "../../parts/states.tsx";
import type { ApiKey, EndedKeyPage, KeyProject } from "../../wire/keys.ts";
import { useSpeech } from "../../words/words.ts";
import { KeyTable } from "./key-table.tsx";

type Ended = {
  readonly projects: readonly KeyProject[];
  readonly isShown: (key: ApiKey) => boolean;
  /** Changes when the other keys are read again: one of them may have ended. */
  readonly version: object;
};

/** Keys that do not work any more; asked for when a person wants to see them. */
export function EndedKeys(props: Ended) {
  const { words } = useSpeech();
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="ended-keys" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{words.keys.ended}</summary>
      {isOpen ? <EndedList {...props} /> : null}
    </details>
  );
}

function EndedList({ projects, isShown, version }: Ended) {
  const { words } = useSpeech();
  const pages = usePages<EndedKeyPage, ApiKey>("keys/ended", ({ keys }) => keys);
  const [first] = useState(version);
  useEffect(() => {
    if (version !== first) void pages.reload();
  }, [version]);
  const keys = pages.rows.filter(isShown);
  return (
    <Shown loaded={pages}>
      {() => (
        <>
          {keys.length === 0 ? (
            <p class="small">{words.keys.noneEnded}</p>
          ) : (
            <KeyTable title={words.keys.ended} keys={keys} projects={projects} />
          )}
          <MoreButton pages={pages} />
        </>
      )}
    </Shown>
  );
}
