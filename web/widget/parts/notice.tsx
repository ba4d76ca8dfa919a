/** Something went wrong that the payer should know of; read out at once. The element stays, so that it is. */
export function Notice({ text }: { readonly text: string | undefined }) {
  return (
    <div role="alert" class="notice-place">
      {text === undefined ? null : <p class="notice">{text}</p>}
    </div>
  );
}
