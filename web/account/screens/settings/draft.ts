import type { PageSettings } from "../../wire/settings.ts";

/** What is being typed and chosen, before it is saved. An empty colour is ours. An empty contact is not shown. */
export type Draft = { readonly name: string; readonly accent: string; readonly logo: string | null };

export type SupportDraft = { readonly email: string; readonly phone: string; readonly url: string };

export function supportDraftOf({ support: { email, phone, url } }: PageSettings): SupportDraft {
  return { email: email ?? "", phone: phone ?? "", url: url ?? "" };
}

export function draftOf({ project, accent, logo }: PageSettings): Draft {
  return { name: project.name, accent: accent ?? "", logo };
}
