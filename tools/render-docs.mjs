// Renders the contract into the page that the service shows at /docs, with the compiled code of the build that is named.
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [contract, build] = process.argv.slice(2);
if (build === undefined) throw new Error("usage: node tools/render-docs.mjs CONTRACT BUILD_DIRECTORY");

const load = (name) => import(pathToFileURL(resolve(build, "api", "service", name)));
const { renderContract } = await load("render-contract.js");
const { ADDRESS_PLACEHOLDER, withServerAddress } = await load("own-address.js");
const yaml = withServerAddress(readFileSync(contract, "utf8"), ADDRESS_PLACEHOLDER);
writeFileSync(join(build, "docs.html"), renderContract(yaml));
