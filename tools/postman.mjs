// Writes docs/postman-collection.json from the contract: every signed call, with its examples and a script that signs.
// After a change of docs/openapi.yaml: npm run contract-types.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

const CONTRACT = new URL("../docs/openapi.yaml", import.meta.url);
const SCRIPT = new URL("./postman-sign.js", import.meta.url);
export const COLLECTION = new URL("../docs/postman-collection.json", import.meta.url);

const SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";

/** Named like the members of .tillgate/sandbox.json, from which they are filled in. None holds a secret here. */
const VARIABLES = [
  ["base_url", "http://127.0.0.1:8080"],
  ["merchant_id", ""],
  ["project_id", ""],
  ["algorithm", "HMAC-SHA512-V2"],
  ["hmac_key_id", ""],
  ["hmac_secret", ""],
  ["rsa_access_token", ""],
  ["rsa_private_key_pem", ""],
  ["repeat", "no"],
];

const DESCRIPTION = `Every signed call of the Tillgate merchant API. The script of the collection signs each request.

1. Fill in the variables from \`.tillgate/sandbox.json\`: \`base_url\`, \`merchant_id\`, \`project_id\`, \`hmac_key_id\` and
   \`hmac_secret\`. Put the secret into the current value, or into an environment, so that Postman does not share it.
2. To sign with RSA, set \`algorithm\` to \`RSA-SHA256-V2\` and fill in \`rsa_access_token\` and \`rsa_private_key_pem\`.
3. A create takes a new payment_id and keeps it in a variable, which the calls beside it use. Set \`repeat\` to \`yes\` to
   send a create again under the same id.`;

/** The text of the file. */
export function postmanCollection(contract = parse(readFileSync(CONTRACT, "utf8"))) {
  const calls = listCalls(contract);
  const folders = contract.tags
    .map(({ name, description }) => ({
      name,
      description,
      item: calls.filter((call) => call.tag === name).flatMap((call) => itemsOf(contract, call)),
    }))
    .filter(({ item }) => item.length > 0);
  const ids = [...new Set(calls.map(({ path }) => idVariableOf(path)).filter((name) => name !== undefined))];
  const collection = {
    info: { name: contract.info.title, description: DESCRIPTION, version: contract.info.version, schema: SCHEMA },
    item: folders,
    event: [{ listen: "prerequest", script: { type: "text/javascript", exec: scriptLines(calls) } }],
    variable: [...VARIABLES, ...ids.map((name) => [name, ""])].map(([key, value]) => ({ key, value, type: "string" })),
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}

/** Operations that carry a signature; the others are for operators and payers. */
function listCalls(contract) {
  return Object.entries(contract.paths).flatMap(([path, { post }]) => {
    const isSigned = post !== undefined && (post.security ?? contract.security).length > 0;
    return isSigned ? [{ path, tag: post.tags[0], operation: post }] : [];
  });
}

/** A request for each example of the contract. */
function itemsOf(contract, { path, operation }) {
  const { schema, examples = {} } = operation.requestBody.content["application/json"];
  const values = Object.values(examples).map((example) => resolve(contract, example));
  if (values.length === 0) throw new Error(`${path} has no example (${JSON.stringify(schema)})`);
  return values.map(({ summary, value }) => ({
    name: values.length === 1 ? operation.summary : `${operation.summary}: ${summary}`,
    request: {
      method: "POST",
      description: operation.description,
      header: [{ key: "content-type", value: "application/json" }],
      url: `{{base_url}}${path}`,
      body: {
        mode: "raw",
        raw: JSON.stringify(withVariables(path, value), null, 2),
        options: { raw: { language: "json" } },
      },
    },
    response: [],
  }));
}

function resolve(contract, example) {
  if (example.$ref === undefined) return example;
  return contract.components.examples[example.$ref.split("/").at(-1)];
}

/** The example with ids from variables, and without the URLs of a shop that does not exist. */
function withVariables(path, value) {
  const { general, ...rest } = value;
  const kept = Object.entries(general).filter(([name]) => !/_url$/.test(name));
  const ids = { project_id: "{{project_id}}" };
  if (general.payment_id !== undefined) ids.payment_id = `{{${idVariableOf(path) ?? sandboxIdVariable(value)}}}`;
  return { general: { ...Object.fromEntries(kept), ...ids }, ...rest };
}

/** `/api/v1/payment/p2p/payin/info` -> `p2p_payin_id`: the calls about one kind of payment share a variable. */
function idVariableOf(path) {
  const [, product, direction] = /^\/api\/v1\/(?:payment\/)?(\w+)\/(payin|payout)(?:\/|$)/.exec(path) ?? [];
  return product === undefined ? undefined : `${product}_${direction}_id`;
}

/** The sandbox's calls take payments of every kind; the example says which it means. */
function sandboxIdVariable({ general, direction }) {
  if (direction === "payout") return "p2p_payout_id";
  return general.payment_id.startsWith("card-") ? "ecom_payin_id" : "p2p_payin_id";
}

function scriptLines(calls) {
  const creates = calls.filter(({ path }) => /\/(payin|payout)$/.test(path));
  const ids = Object.fromEntries(creates.map(({ path }) => [path, idVariableOf(path)]));
  const source = readFileSync(SCRIPT, "utf8").trimEnd();
  return [`const NEW_IDS = ${JSON.stringify(ids)};`, ...source.split("\n")];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(COLLECTION, postmanCollection());
