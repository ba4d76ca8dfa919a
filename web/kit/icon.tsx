/** Drawn in the colour of the text around it, and not read out: what it means is written beside it. */
export function Icon({ path, look }: { readonly path: string; readonly look?: string }) {
  return (
    <svg class={look} viewBox="0 0 24 24" aria-hidden="true">
      <path
        d={path}
        fill="none"
        stroke="currentColor"
        stroke-width="2.2"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}

export const ICONS = {
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  tick: "M5 13l4.5 4.5L19 7.5",
  cross: "M7 7l10 10M17 7L7 17",
  exclamation: "M12 6v8M12 18v.2",
  lock: "M5 11h14v10H5zM8 11V8a4 4 0 0 1 8 0v3",
} as const;
