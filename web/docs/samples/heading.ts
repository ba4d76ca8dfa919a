import type { SampleCall } from "./sample.ts";

/** The comment at the top of a program: what it does, how it is run, and where its credentials come from. */
export function heading({ title }: SampleCall, mark: "#" | "//", how: { needs: string; save: string }): string {
  return [
    `${title}. ${how.save}`,
    `Needs ${how.needs}.`,
    "Credentials: .tillgate/sandbox.json, or the file",
    "of the same form that TILLGATE_SANDBOX names.",
  ]
    .flatMap((line) => line.split("\n"))
    .map((line) => `${mark} ${line}`)
    .join("\n");
}
