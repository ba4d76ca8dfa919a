import { useEffect, useRef, useState } from "preact/hooks";
import { PREVIEW_READY, type PreviewLook } from "../../../kit/preview-look.ts";
import { Panel } from "../../parts/panel.tsx";
import { ROOT } from "../../server.ts";
import { useSpeech } from "../../words/words.ts";

const DEVICES = ["phone", "desktop"] as const;
const THEMES = ["light", "dark"] as const;

/** The payment page itself, with an order that does not exist, in a frame that is told what to draw. */
export function Preview(props: Omit<PreviewLook, "language" | "theme">) {
  const { language, words } = useSpeech();
  const [device, setDevice] = useState<(typeof DEVICES)[number]>("phone");
  const [theme, setTheme] = useState<(typeof THEMES)[number]>(() =>
    matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
  );
  const frame = useRef<HTMLIFrameElement>(null);
  const look: PreviewLook = { ...props, language, theme };
  useTold(frame, look);
  return (
    <Panel title={words.settings.preview} text={words.settings.previewText} look="preview-panel">
      <div class="preview-choices">
        <Tabs
          title={words.settings.device}
          name="device"
          names={words.settings.devices}
          value={device}
          values={DEVICES}
          onChange={setDevice}
        />
        <Tabs
          title={words.settings.theme}
          name="theme"
          names={words.settings.themes}
          value={theme}
          values={THEMES}
          onChange={setTheme}
        />
      </div>
      <div class={`preview ${device} ${theme}`}>
        <iframe ref={frame} src={`${ROOT}preview`} title={words.settings.preview} tabIndex={-1} />
      </div>
    </Panel>
  );
}

/** Tells the frame what to draw: when it says that it can be told, and whenever that changes. */
function useTold(frame: { readonly current: HTMLIFrameElement | null }, look: PreviewLook): void {
  const latest = useRef(look);
  latest.current = look;
  const tell = () => frame.current?.contentWindow?.postMessage(latest.current, location.origin);
  useEffect(() => {
    const onMessage = ({ origin, source, data }: MessageEvent<unknown>) => {
      if (origin === location.origin && source === frame.current?.contentWindow && data === PREVIEW_READY) tell();
    };
    addEventListener("message", onMessage);
    return () => removeEventListener("message", onMessage);
  }, []);
  useEffect(tell, [JSON.stringify(look)]);
}

function Tabs<Value extends string>(props: {
  readonly title: string;
  readonly name: string;
  readonly names: Readonly<Record<Value, string>>;
  readonly value: Value;
  readonly values: readonly Value[];
  readonly onChange: (value: Value) => void;
}) {
  return (
    <fieldset class="tabs">
      <legend class="unseen">{props.title}</legend>
      {props.values.map((each) => (
        <label key={each}>
          <input type="radio" name={props.name} checked={each === props.value} onChange={() => props.onChange(each)} />
          <span>{props.names[each]}</span>
        </label>
      ))}
    </fieldset>
  );
}
