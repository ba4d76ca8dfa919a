import { SelectField } from "../../parts/fields.tsx";
import { useSpeech } from "../../words/words.ts";
import { AreaField } from "./area-field.tsx";
import { canMakePairs, PAIR_BITS } from "./rsa-pair.ts";

export type Source = "made" | "pasted" | "hmac";
const SOURCES: readonly Source[] = ["made", "pasted", "hmac"];

type SourceForm = { readonly source: Source; readonly bits: number; readonly pem: string };

/** Where the key comes from: this browser, the person, or the server. */
export function KeySource(props: {
  readonly form: SourceForm;
  readonly onChange: (changes: Partial<SourceForm>) => void;
}) {
  const { words } = useSpeech();
  const { form, onChange } = props;
  return (
    <>
      <fieldset class="role-choices">
        <legend>{words.newKey.source}</legend>
        {SOURCES.map((each) => (
          <label key={each} class="role-choice">
            <input
              type="radio"
              name="source"
              value={each}
              checked={each === form.source}
              disabled={each === "made" && !canMakePairs}
              onChange={() => onChange({ source: each })}
            />
            <span>
              {words.newKey.sources[each].name}
              <span class="small">
                {each === "made" && !canMakePairs ? words.newKey.noWebCrypto : words.newKey.sources[each].hint}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      {form.source === "made" ? (
        <SelectField
          label={words.newKey.size}
          value={String(form.bits)}
          options={PAIR_BITS.map((bits) => ({ value: String(bits), name: words.newKey.bits(bits) }))}
          onChange={(bits) => onChange({ bits: Number(bits) })}
        />
      ) : null}
      {form.source === "pasted" ? (
        <AreaField
          label={words.newKey.publicKey}
          value={form.pem}
          rows={6}
          placeholder="-----BEGIN PUBLIC KEY-----"
          isRequired
          onInput={(pem) => onChange({ pem })}
        />
      ) : null}
    </>
  );
}
