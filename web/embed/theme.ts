/** The colours of the page inside, so that the frame around it is no other thing. It follows the reader's theme, as they do. */
export function themeNow() {
  return matchMedia("(prefers-color-scheme: dark)").matches
    ? { ground: "#0f1115", paper: "#1a1d24", text: "#f0f2f6", edge: "#7d8798" }
    : { ground: "#f3f4f7", paper: "#ffffff", text: "#16191f", edge: "#7d8594" };
}

export type Theme = ReturnType<typeof themeNow>;
