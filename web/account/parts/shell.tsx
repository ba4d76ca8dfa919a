import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Icon } from "../../kit/icon.tsx";
import { useScope } from "../projects.ts";
import { useRouter } from "../router.ts";
import { findScreen, SCREENS, type ScreenRow } from "../screens.tsx";
import { mayDo, useAccount } from "../session.ts";
import { withQuery } from "../with-query.ts";
import { useSpeech } from "../words/words.ts";
import { MerchantChooser, ProjectChooser } from "./choosers.tsx";
import { Brand } from "./entrance.tsx";
import { ICONS } from "./icons.ts";
import { LanguageButton } from "./language-button.tsx";
import { Link } from "./link.tsx";

/** What a thumb reaches on a phone; the rest is behind "more". */
const ON_BAR = 4;

/** The frame of every screen: the menu, who and whose, and the mark of test data. */
export function Shell(props: { readonly onSignOut: () => void; readonly children: ComponentChildren }) {
  const { words } = useSpeech();
  const { place } = useRouter();
  const { session } = useAccount();
  const { books } = useScope();
  const [isMore, setMore] = useState(false);
  const rows = SCREENS.filter(({ right }) => right === undefined || mayDo(session, right));
  const found = findScreen(place.path);
  const isOfProject = found?.row.isOfProject === true;
  const isTest = isOfProject && books.size === 1 && books.has("test");
  useEffect(() => setMore(false), [place.path]);
  return (
    <div class={isTest ? "shell is-test" : "shell"}>
      <a class="skip" href="#content">
        {words.nav.skip}
      </a>
      <header class={isMore ? "side is-open" : "side"}>
        <div class="side-top">
          <Brand />
          <button
            type="button"
            class="icon-button menu-button"
            aria-expanded={isMore}
            aria-controls="menu-rest"
            aria-label={words.nav.more}
            onClick={() => setMore(!isMore)}
          >
            <Icon path={isMore ? ICONS.cross : ICONS.more} />
          </button>
        </div>
        <div class="side-choosers">
          <MerchantChooser />
          {isOfProject && found.id === undefined ? <ProjectChooser /> : null}
        </div>
        <nav aria-label={words.nav.label}>
          <ul class="nav">
            {rows.map((row, index) => (
              <li key={row.name} class={index < ON_BAR ? "on-bar" : "off-bar"}>
                <NavLink row={row} isCurrent={found?.row.name === row.name} />
              </li>
            ))}
          </ul>
        </nav>
        <div class="side-foot" id="menu-rest">
          <p class="who">
            <strong>{session.person.name}</strong>
            <span class="small">{session.person.email}</span>
          </p>
          <div class="who-acts">
            <LanguageButton />
            <button type="button" class="link-button" onClick={props.onSignOut}>
              {words.signOut}
            </button>
          </div>
        </div>
      </header>
      <div class="page">
        {isTest ? (
          <aside class="test-band" aria-label={words.testBand.title}>
            <strong>{words.testBand.title}</strong> <span>{words.testBand.text}</span>
          </aside>
        ) : null}
        <main id="content" tabIndex={-1}>
          {props.children}
        </main>
      </div>
    </div>
  );
}

function NavLink({ row, isCurrent }: { readonly row: ScreenRow; readonly isCurrent: boolean }) {
  const { words } = useSpeech();
  const { projectId } = useScope();
  return (
    <Link
      to={row.isOfProject ? withQuery(row.path, { project: projectId }) : row.path}
      look="nav-link"
      isCurrent={isCurrent}
    >
      <Icon path={row.icon} />
      <span>{words.nav[row.name]}</span>
    </Link>
  );
}
