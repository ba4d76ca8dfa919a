import { useEffect, useState } from "preact/hooks";
import { Icon } from "../../kit/icon.tsx";
import { useScope } from "../projects.ts";
import { MENU_GROUPS, menuGroupOf, type ScreenRow } from "../screens.tsx";
import { withQuery } from "../with-query.ts";
import { useSpeech } from "../words/words.ts";
import { Link } from "./link.tsx";

type Rows = {
  readonly rows: readonly ScreenRow[];
  /** On a phone these are on the bar below, and not here. */
  readonly onBar: readonly ScreenRow[];
  readonly current: ScreenRow | undefined;
};

/** The screens by group. A group that a person may see nothing of is not there. */
export function Menu({ rows, onBar, current }: Rows) {
  const { words } = useSpeech();
  const groups = MENU_GROUPS.map((group) => [group, rows.filter((row) => menuGroupOf(row) === group)] as const);
  return (
    <nav class="menu" aria-label={words.nav.label}>
      {groups.map(([group, members]) =>
        members.length === 0 ? null : (
          <div key={group} class={members.every((row) => onBar.includes(row)) ? "nav-group is-on-bar" : "nav-group"}>
            {group === "money" ? null : <p class="nav-caption">{words.nav.groups[group]}</p>}
            <ul class="nav">
              {members.map((row) => (
                <li key={row.name} class={onBar.includes(row) ? "is-on-bar" : undefined}>
                  <NavLink row={row} isCurrent={current?.name === row.name} />
                </li>
              ))}
            </ul>
          </div>
        ),
      )}
    </nav>
  );
}

export function NavLink({ row, isCurrent }: { readonly row: ScreenRow; readonly isCurrent: boolean }) {
  const { words } = useSpeech();
  const { projectId } = useScope();
  return (
    <Link to={withQuery(row.path, { project: projectId })} look="nav-link" isCurrent={isCurrent}>
      <Icon path={row.icon} />
      <span>{words.nav[row.name]}</span>
    </Link>
  );
}

const DESKTOP = "(min-width: 48.001rem)";

/** The phone's sheet with the rest of the menu. Another screen, Escape, or a window that has become wide closes it. */
export function useSheet(path: string) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [path]);
  useEffect(() => {
    if (!isOpen) return;
    const close = () => setOpen(false);
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === "Escape") close();
    };
    const wide = matchMedia(DESKTOP);
    addEventListener("keydown", onKey);
    wide.addEventListener("change", close);
    return () => {
      removeEventListener("keydown", onKey);
      wide.removeEventListener("change", close);
    };
  }, [isOpen]);
  return { isOpen, toggle: () => setOpen(!isOpen) };
}
