import type { ComponentChildren } from "preact";
import { Icon } from "../../kit/icon.tsx";
import { useScope } from "../projects.ts";
import { useRouter } from "../router.ts";
import { findScreen, SCREENS } from "../screens.tsx";
import { mayDo, useAccount } from "../session.ts";
import { useSpeech } from "../words/words.ts";
import { MerchantChooser, ProjectChooser } from "./choosers.tsx";
import { Brand } from "./entrance.tsx";
import { ICONS } from "./icons.ts";
import { LanguageButton } from "./language-button.tsx";
import { Menu, NavLink, useSheet } from "./menu.tsx";

/** What a thumb reaches on a phone; the rest is on the sheet that "more" opens. */
const ON_BAR = 4;

/** The frame of every screen: the menu, who and whose, and the mark of test data. */
export function Shell(props: { readonly onSignOut: () => void; readonly children: ComponentChildren }) {
  const { words } = useSpeech();
  const { place } = useRouter();
  const { session, perform, refresh } = useAccount();
  const { books } = useScope();
  const sheet = useSheet(place.path);
  const rows = SCREENS.filter(({ right }) => right === undefined || mayDo(session, right));
  const onBar = rows.slice(0, ON_BAR);
  const found = findScreen(place.path);
  const isOfProject = found?.row.isOfProject === true;
  const isTest = isOfProject && books.size === 1 && books.has("test");
  return (
    <div class={isTest ? "shell is-test" : "shell"}>
      <a class="skip" href="#content">
        {words.nav.skip}
      </a>
      <header class={sheet.isOpen ? "side is-open" : "side"}>
        <div class="side-top">
          <Brand />
        </div>
        <div class="side-choosers">
          <MerchantChooser />
          <div class={isOfProject && found.id === undefined ? undefined : "off-phone"}>
            <ProjectChooser listPath={found === undefined ? "" : found.row.path} />
          </div>
        </div>
        <div class="side-rest" id="menu-rest">
          <Menu rows={rows} onBar={onBar} current={found?.row} />
          <div class="side-foot">
            <p class="who">
              <strong>{session.person.name}</strong>
              <span class="small">{session.person.email}</span>
            </p>
            <div class="who-acts">
              <LanguageButton onSwitched={(language) => void perform("profile", { language }).then(refresh)} />
              <button type="button" class="link-button" onClick={props.onSignOut}>
                {words.signOut}
              </button>
            </div>
          </div>
        </div>
        <nav class="bar" aria-label={words.nav.bar}>
          {onBar.map((row) => (
            <NavLink key={row.name} row={row} isCurrent={found?.row.name === row.name} />
          ))}
          <button
            type="button"
            class="nav-link"
            aria-expanded={sheet.isOpen}
            aria-controls="menu-rest"
            onClick={sheet.toggle}
          >
            <Icon path={sheet.isOpen ? ICONS.cross : ICONS.more} />
            <span>{sheet.isOpen ? words.close : words.nav.more}</span>
          </button>
        </nav>
      </header>
      <div class="page" inert={sheet.isOpen}>
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
