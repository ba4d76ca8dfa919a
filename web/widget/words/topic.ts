import type { PageLanguage } from "./page-language.ts";
import { useSpeech } from "./words.ts";

/** The words of one part of the page, in every language side by side; a language that lacks one does not compile. */
export type Topic<Words> = Readonly<Record<PageLanguage, Words>>;

export function useTopic<Words>(topic: Topic<Words>): Words {
  return topic[useSpeech().language];
}
