/**
 * The build takes every topic apart (web/split-words.mjs): what one language says of all topics is loaded together with
 * that language's words and kept here, and a part of the page that names a topic finds it here.
 */
export type Topics = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const kept = new Map<string, Topics>();

export function keepTopics(language: string, topics: Topics): void {
  kept.set(language, topics);
}

/**
 * Stands where the source has a topic in all languages; the build writes its calls.
 * @public
 */
export function topicNamed(file: string, name: string): object {
  return new Proxy({}, { get: (_topic, language) => kept.get(String(language))?.[file]?.[name] });
}
