import { useId, useRef, useState } from "preact/hooks";
import { Icon } from "../../../kit/icon.tsx";
import { ICONS } from "../../parts/icons.ts";
import { useSpeech } from "../../words/words.ts";

const BYTES_MAX = 256 * 1024;

/** The shop's picture. What a file really is, the server decides by its content. */
export function LogoField(props: { readonly value: string | null; readonly onChange: (value: string | null) => void }) {
  const { words } = useSpeech();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [trouble, setTrouble] = useState<string>();
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    const isTooLarge = file.size > BYTES_MAX;
    setTrouble(isTooLarge ? words.settingsErrors.picture_too_large : undefined);
    if (!isTooLarge) props.onChange(await readDataUrl(file));
  };
  return (
    <div class="field logo-field">
      <label for={id}>{words.settings.logo}</label>
      <div class="logo-row">
        {props.value === null ? (
          <span class="logo-none">
            <Icon path={ICONS.picture} />
          </span>
        ) : (
          <img src={props.value} alt={words.settings.logoAlt} width="48" height="48" />
        )}
        <input
          id={id}
          ref={input}
          class="unseen"
          type="file"
          accept="image/png,image/jpeg"
          aria-describedby={`${id}-words`}
          onChange={(event) => {
            const field = event.currentTarget;
            void take(field.files?.[0]).then(() => {
              // The same file can be chosen again.
              field.value = "";
            });
          }}
        />
        {/* The field itself looks different in every browser; this is its face, and the keyboard uses the field. */}
        <button type="button" class="quiet" tabIndex={-1} aria-hidden="true" onClick={() => input.current?.click()}>
          {props.value === null ? words.settings.logoChoose : words.settings.logoChange}
        </button>
        {props.value === null ? null : (
          <button type="button" class="link-button" onClick={() => props.onChange(null)}>
            {words.settings.logoRemove}
          </button>
        )}
      </div>
      <p class={trouble === undefined ? "hint" : "mistake"} id={`${id}-words`}>
        {trouble ?? words.settings.logoHint}
      </p>
    </div>
  );
}

function readDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
