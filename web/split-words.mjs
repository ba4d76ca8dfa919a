// Topics have all languages side by side, so that a person can compare them. A payer reads one: this takes the topics apart,
// and what one language says of all of them becomes a part of that language's file.
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const WORDS = fileURLToPath(new URL("widget/words/", import.meta.url));
const TOPICS = `${WORDS}topics/`;
export const LANGUAGES = ["en", "ru", "kk", "uz", "az", "ky", "tg", "es"];
const ONLY = "?only=";

export function splitWords() {
  return {
    name: "split-words",
    // After the types are gone.
    enforce: "post",
    // What a language's file imports is copied into it, so that a payer loads one file and not its parts one by one.
    resolveId: {
      order: "pre",
      async handler(source, importer) {
        const language = importer && languageOf(importer);
        if (!language || !source.startsWith(".") || source.includes(ONLY)) return null;
        const found = await this.resolve(source, importer, { skipSelf: true });
        return found && `${found.id}${ONLY}${language}`;
      },
    },
    transform(code, id) {
      const language = languageOf(id);
      if (id === `${WORDS}${language}.ts`) return { code: code + topicsOf(language), map: null };
      if (!id.startsWith(TOPICS)) return null;
      const [file, only] = id.slice(TOPICS.length).split(ONLY);
      const topics = findTopics(this.parse(code));
      if (topics.length === 0) this.error(`${file}: no topic; write export const NAME = { en: …, ru: …, … }`);
      return { code: only === undefined ? namesOnly(code, topics, file) : oneLanguage(code, topics, only), map: null };
    },
  };
}

/** The language that a module is a part of, if it is a part of one. */
function languageOf(id) {
  return id.split(ONLY)[1] ?? LANGUAGES.find((each) => id === `${WORDS}${each}.ts`);
}

function topicsOf(language) {
  const files = existsSync(TOPICS) ? readdirSync(TOPICS).filter((name) => name.endsWith(".ts")) : [];
  const imports = files.map((file, at) => `import { spoken as topic${at} } from "./topics/${file}${ONLY}${language}";`);
  const topics = files.map((file, at) => `${JSON.stringify(file)}: topic${at}`);
  return `
${imports.join("\n")}
export const topics = { ${topics.join(", ")} };`;
}

/** Exported objects that have a member for each language. */
function findTopics(program) {
  return program.body
    .filter(({ type, declaration }) => type === "ExportNamedDeclaration" && declaration?.type === "VariableDeclaration")
    .flatMap(({ declaration }) => declaration.declarations)
    .filter(({ init }) => init?.type === "ObjectExpression")
    .map(({ id, init }) => ({ name: id.name, init, members: init.properties.map((each) => [each.key?.name, each]) }))
    .filter(({ members }) => LANGUAGES.every((language) => members.some(([name]) => name === language)));
}

function namesOnly(code, topics, file) {
  const named = topics.reduceRight(
    (text, { name, init }) => replace(text, init, `topicNamed(${JSON.stringify(file)}, "${name}")`),
    code,
  );
  return `import { topicNamed } from "../kept-topics.ts";\n${named}`;
}

/** What it says is all that is wanted of it: `{ en: A, ru: B }` becomes B. */
function oneLanguage(code, topics, language) {
  const said = topics.reduceRight((text, { init, members }) => {
    const { start, end } = members.find(([name]) => name === language)[1].value;
    return replace(text, init, `(${code.slice(start, end)})`);
  }, code);
  return `${said}\nexport const spoken = { ${topics.map(({ name }) => name).join(", ")} };`;
}

function replace(text, { start, end }, by) {
  return text.slice(0, start) + by + text.slice(end);
}
