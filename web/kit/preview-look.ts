import type { Language } from "./language.ts";

/** What the settings tell the preview of the payment page to draw. */
export type PreviewLook = {
  readonly name: string;
  /** `#rrggbb`; null: ours. */
  readonly accent: string | null;
  /** As a data: URL. */
  readonly logo: string | null;
  /** As it is typed; what is empty is not shown. */
  readonly support: { readonly email: string; readonly phone: string; readonly url: string };
  readonly isTest: boolean;
  readonly language: Language;
  readonly theme: "light" | "dark";
};

/** The preview says this when it can be told. */
export const PREVIEW_READY = "tillgate-preview-ready";
