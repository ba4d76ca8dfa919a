import type { ComponentChildren } from "preact";
import { ICONS, Icon } from "../../kit/icon.tsx";
import { formatMoney, isLong } from "../../kit/money.ts";
import type { View } from "../view.ts";
import type { PageLanguage } from "../words/page-language.ts";
import { useTopic } from "../words/topic.ts";
import { TRUST_WORDS } from "../words/topics/trust.ts";
import { useSpeech } from "../words/words.ts";
import { LanguageMenu } from "./language-menu.tsx";
import { Support } from "./support.tsx";

/** What stands around every step: whose shop and how to reach it, how much, for what, who takes the payment, and the language. */
export function Shell(props: {
  readonly view: View;
  /** The shop's picture; undefined where it has none. */
  readonly logoUrl: string | undefined;
  readonly onLanguage: (language: PageLanguage) => void;
  readonly children: ComponentChildren;
}) {
  const { view } = props;
  const { words } = useSpeech();
  const trust = useTopic(TRUST_WORDS);
  return (
    <>
      <header>
        {view.test === true ? (
          <p class="ribbon">
            <strong>{trust.test.mark}</strong> {trust.test.text}
          </p>
        ) : null}
        <div class="top">
          <div class="shop">
            {props.logoUrl === undefined ? null : <img src={props.logoUrl} alt="" width="40" height="40" />}
            <span class="shop-name">{view.shop.name}</span>
          </div>
          <LanguageMenu onLanguage={props.onLanguage} />
        </div>
      </header>
      <main class="card">
        {/* A receipt says all of this itself. */}
        {view.receipt === undefined ? <Bill view={view} /> : null}
        {props.children}
      </main>
      <footer class="foot">
        <Support view={view} />
        <p class="house">
          <Icon path={ICONS.lock} />
          <span>
            {words.footer}
            {view.operator === undefined ? null : ` · ${trust.operator(view.operator.name)}`}
          </span>
        </p>
      </footer>
    </>
  );
}

function Bill({ view }: { readonly view: View }) {
  const { language, words } = useSpeech();
  const sum = formatMoney(view, language);
  return (
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
  );
}
