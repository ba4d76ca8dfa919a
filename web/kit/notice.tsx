import { useEffect, useRef } from "preact/hooks";

/** Something went wrong that the payer should know of; read out at once. The element stays, so that it is. */
export function Notice({ text }: { readonly text: string | undefined }) {
  const place = useRef<HTMLDivElement>(null);
  // The button that was pressed may be a screen below it.
  useEffect(() => {
    if (text !== undefined) place.current?.scrollIntoView({ block: "nearest" });
  }, [text]);
  return (
    <div role="alert" class="notice-place" ref={place}>
      {text === undefined ? null : <p class="notice">{text}</p>}
    </div>
  );
}
