import { countText } from "../../parts/figures.tsx";
import type { BatchFault, CheckAnswer } from "../../wire/pay-out.ts";
import type { Words } from "../../words/en.ts";
import { useSpeech } from "../../words/words.ts";

/** In the reader's language where there are words for it; the server's sentence says more, in English. */
export function faultText({ payOut }: Words, { column, code, message }: BatchFault): string {
  return payOut.faultCodes[`${column}.${code}`] ?? payOut.faultCodes[code] ?? message;
}

type Faults = Extract<CheckAnswer, { readonly result: "faults" }>;

/** Everything that must be corrected, with the line and the column of each. */
export function FaultList({ faults, text }: { readonly faults: Faults; readonly text: string }) {
  const { language, words } = useSpeech();
  const hidden = faults.fault_count - faults.faults.length;
  return (
    <div class="faults" role="alert">
      <h3>{words.payOut.faultsTitle(countText(faults.fault_count, language))}</h3>
      <p class="small">{text}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and a keyboard must be able to scroll it */}
      <section class="table-place fault-place" tabIndex={0} aria-label={words.payOut.faultWhat}>
        <table class="list fault-list">
          <thead>
            <tr>
              <th scope="col" class="number">
                {words.payOut.faultLine}
              </th>
              <th scope="col">{words.payOut.faultColumn}</th>
              <th scope="col">{words.payOut.faultWhat}</th>
            </tr>
          </thead>
          <tbody>
            {faults.faults.map((fault) => (
              <tr key={`${fault.line} ${fault.column} ${fault.code}`}>
                <td class="number">{fault.line}</td>
                <td>{fault.column === null ? words.payOut.wholeRow : <code>{fault.column}</code>}</td>
                <td>{faultText(words, fault)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {hidden > 0 ? <p class="small">{words.payOut.faultsMore(countText(hidden, language))}</p> : null}
    </div>
  );
}
