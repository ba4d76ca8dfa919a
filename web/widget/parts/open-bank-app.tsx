import { appLink } from "../banks/app-link.ts";
import { BankMark } from "../banks/bank-mark.tsx";
import { nameOfBank } from "../banks/bank-name.ts";
import type { View } from "../view.ts";
import { useTopic } from "../words/topic.ts";
import { BANK_WORDS } from "../words/topics/banks.ts";
import { useSpeech } from "../words/words.ts";

/**
 * On a phone, the way to the app of the payer's bank: a link that opens it with the payment, or, where the payment has a number
 * instead, what to do there. The style sheet hides it where there is a mouse.
 */
export function OpenBankApp({ view }: { readonly view: View }) {
  const { language } = useSpeech();
  const words = useTopic(BANK_WORDS);
  const { payer_bank: bank, requisites } = view;
  if (bank === undefined || requisites === undefined) return null;
  const name = nameOfBank(bank, language);
  if (requisites.type !== "link") {
    return (
      <p class="bank-app hint">
        <BankMark bank={bank} name={name} />
        <span>{words.pasteInApp(name)}</span>
      </p>
    );
  }
  const link = appLink(requisites.url, bank.app);
  return link === undefined ? null : (
    <div class="bank-app">
      <a class="button primary" href={link} rel="noreferrer">
        {words.openApp(name)}
      </a>
    </div>
  );
}
