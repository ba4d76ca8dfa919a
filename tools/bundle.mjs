// Puts the compiled program and the packages that it needs into a few files: Node then reads 10 files at a start instead of 900.
import { join } from "node:path";
import { build } from "vite";

const [compiled] = process.argv.slice(2);
if (compiled === undefined) throw new Error("usage: node tools/bundle.mjs DIRECTORY");

await build({
  configFile: false,
  root: compiled,
  publicDir: false,
  logLevel: "error",
  mode: "production",
  // As it is: what a process reads from its environment is not known here.
  define: { "process.env.NODE_ENV": "process.env.NODE_ENV" },
  ssr: { noExternal: true, external: ["pg-native"], target: "node" },
  build: {
    ssr: true,
    outDir: join(compiled, "program"),
    target: "node20",
    // A stack must be readable.
    minify: false,
    rolldownOptions: {
      input: {
        main: join(compiled, "main.js"),
        entry: join(compiled, "sandbox", "process", "entry.js"),
        "pack-thread": join(compiled, "app", "request-log", "pack-thread.js"),
      },
      output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
    },
  },
});
