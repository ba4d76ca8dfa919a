import { Heading } from "../../kit/heading.tsx";
import { Brand } from "../parts/entrance.tsx";
import { LanguageButton } from "../parts/language-button.tsx";
import { useSpeech } from "../words/words.ts";
import { SecondFactors } from "./second-factor.tsx";

/** All that a person sees whose company demands a second factor, until there is one. */
export function MustSetFactor({ onSignOut }: { readonly onSignOut: () => void }) {
  const { words } = useSpeech();
  return (
    <div class="entrance wide-entrance">
      <header class="entrance-head">
        <Brand />
        <LanguageButton />
      </header>
      <main>
        <Heading>{words.factor.mustTitle}</Heading>
        <p>{words.factor.must}</p>
        <SecondFactors />
        <button type="button" class="link-button" onClick={onSignOut}>
          {words.signOut}
        </button>
      </main>
    </div>
  );
}
