/** Figures of the whole database are the same for all processes; none asks for them more often than this. */
export const FIGURES_KEPT_MS = 5_000;
