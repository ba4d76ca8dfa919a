import type { ComponentChildren } from "preact";
import { ICONS, Icon } from "../../kit/icon.tsx";
import { formatMoney, isLong } from "../../kit/money.ts";
import type { View } from "../view.ts";
import type { PageLanguage } from "../words/page-language.ts";
import { useSpeech } from "../words/words.ts";
import { LanguageMenu } from "./language-menu.tsx";

/** What stands around every step: whose shop, how much, for what, and the language. */
export function Shell(props: {
  readonly view: View;
  /** The shop's picture; undefined where it has none. */
  readonly logoUrl: string | undefined;
  readonly onLanguage: (language: PageLanguage) => void;
  readonly children: ComponentChildren;
}) {
  const { view } = props;
  const { language, words } = useSpeech();
  const sum = formatMoney(view, language);
  return (
    <>
      <header class="top">
        <div class="shop">
          {props.logoUrl === undefined ? null : <img src={props.logoUrl} alt="" width="40" height="40" />}
          <span class="shop-name">{view.shop.name}</span>
        </div>
        <LanguageMenu onLanguage={props.onLanguage} />
      </header>
      <main class="card">
        <div class="bill">
          <p class={isLong(sum) ? "sum long" : "sum"}>{sum}</p>
          <p class="order">
            {words.order} <bdi>{view.order}</bdi>
          </p>
          {view.description === undefined ? null : (
            <p class="description">
              <bdi>{view.description}</bdi>
            </p>
          )}
        </div>
        {props.children}
      </main>
      <footer class="foot">
        <Icon path={ICONS.lock} />
        {words.footer}
      </footer>
    </>
  );
}
