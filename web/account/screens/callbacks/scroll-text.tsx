/** A longer text as it is, in a box that scrolls. `name` tells boxes of the same title apart. */
export function ScrollText(props: { readonly title: string; readonly name: string; readonly text: string }) {
  return (
    <>
      <p class="box-title">{props.title}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and a keyboard must be able to scroll it */}
      <section class="scroll-text" aria-label={`${props.title} ${props.name}`} tabIndex={0}>
        <pre>{props.text}</pre>
      </section>
    </>
  );
}
