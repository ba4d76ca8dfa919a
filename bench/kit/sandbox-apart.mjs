// Loaded into the service (node --import): its sandbox then runs in a process of its own, whose processor time can be told
// from the service's. The two speak HTTP anyway.
import { register } from "node:module";

const HOOKS = `
  export async function resolve(specifier, context, next) {
    const found = await next(specifier, context);
    const isSandbox = found.url.endsWith("/dist/sandbox/start-sandbox.js");
    return isSandbox && !context.parentURL?.startsWith(${JSON.stringify(new URL("..", import.meta.url).href)})
      ? { ...found, url: ${JSON.stringify(new URL("sandbox-forked.mjs", import.meta.url).href)} }
      : found;
  }`;

// A child of the service inherits the option, and is not to start a child of its own.
if (process.argv.includes("start")) register(`data:text/javascript,${encodeURIComponent(HOOKS)}`);
