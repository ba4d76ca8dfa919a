// The files in deploy/ have ${NAME} where servers differ. The drill fills them in as `envsubst` does, so that what was drilled is what
// an operator reads.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const DEPLOY = fileURLToPath(new URL("../../deploy/", import.meta.url));
/** Comments explain the names, so what they mention is not filled in. */
const COMMENT = /^\s*(#|;|--)/;
const NAME = /\$\{([A-Z][A-Z0-9_]*)\}/g;

/** A name without a value, and a value that the file does not use, are faults: the file and the drill would drift apart. */
export function fillTemplate(text, values) {
  const used = new Set();
  const filled = text
    .split("\n")
    .map((line) => (COMMENT.test(line) ? line : line.replace(NAME, (_, name) => filledIn(name, values, used))))
    .join("\n");
  const unused = Object.keys(values).filter((name) => !used.has(name));
  if (unused.length > 0) throw new Error(`the template does not use ${unused.join(", ")}`);
  return filled;
}

function filledIn(name, values, used) {
  if (!Object.hasOwn(values, name)) throw new Error(`the template needs a value for ${name}`);
  used.add(name);
  return String(values[name]);
}

export function filledDeployFile(name, values) {
  return fillTemplate(readFileSync(deployFile(name), "utf8"), values);
}

export function fillDeployFile(name, values, target) {
  writeFileSync(target, filledDeployFile(name, values), { mode: 0o600 });
}

export function deployFile(name) {
  return `${DEPLOY}${name}`;
}
