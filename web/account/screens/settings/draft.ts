import type { PageSettings } from "../../wire/settings.ts";

/** What is being typed and chosen, before it is saved. An empty colour is ours. */
export type Draft = { readonly name: string; readonly accent: string; readonly logo: string | null };

export function draftOf({ project, accent, logo }: PageSettings): Draft {
  return { name: project.name, accent: accent ?? "", logo };
}
