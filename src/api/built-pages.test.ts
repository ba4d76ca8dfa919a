import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import fastify from "fastify";
import { expect, it } from "vitest";
import { addBuiltPages } from "./built-pages.ts";

const SCRIPT = Buffer.from("export const words = 'a page';\n".repeat(20));

function serve() {
  const folder = `${mkdtempSync(join(tmpdir(), "tillgate-built-"))}/`;
  mkdirSync(`${folder}assets`);
  const manifest = {
    "main.tsx": { file: "assets/page-1.js", css: ["assets/page-1.css"], isEntry: true },
    "words/kk.ts": { file: "assets/kk-1.js" },
  };
  writeFileSync(`${folder}manifest.json`, JSON.stringify(manifest));
  writeFileSync(`${folder}assets/page-1.js`, SCRIPT);
  writeFileSync(`${folder}assets/page-1.js.br`, brotliCompressSync(SCRIPT));
  writeFileSync(`${folder}assets/page-1.js.gz`, gzipSync(SCRIPT));
  writeFileSync(`${folder}assets/kk-1.js`, SCRIPT);
  const server = fastify();
  return { server, pages: addBuiltPages(server, folder, "/files") };
}

it.each([
  ["gzip, deflate, br", "br"],
  ["gzip, deflate", "gzip"],
  ["br;q=0, gzip;q=0.5", "gzip"],
  ["br;q=0.0,gzip;q=0.000", undefined],
  ["identity", undefined],
  ["bridge", undefined],
  ["", undefined],
])("a browser that takes %j gets a built file as %s", async (accepted, encoding) => {
  const { server } = serve();
  const answer = await server.inject({ url: "/files/page-1.js", headers: { "accept-encoding": accepted } });
  expect(answer.headers["content-encoding"]).toBe(encoding);
  expect(answer.headers.vary).toBe("accept-encoding");
  expect(answer.headers["content-type"]).toBe("text/javascript; charset=utf-8");
  const read = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ""] ?? ((bytes: Buffer) => bytes);
  expect(read(answer.rawPayload).equals(SCRIPT)).toBe(true);
  await server.close();
});

it("a file that was not compressed is sent as it is, and the compressed ones have no address of their own", async () => {
  const { server, pages } = serve();
  const headers = { "accept-encoding": "br" };
  const plain = await server.inject({ url: "/files/kk-1.js", headers });
  expect([plain.statusCode, plain.headers["content-encoding"], plain.rawPayload.equals(SCRIPT)]).toEqual([
    200,
    undefined,
    true,
  ]);
  expect((await server.inject({ url: "/files/page-1.js.br", headers })).statusCode).toBe(404);
  expect(pages.loadedLater("words/kk.ts")).toBe("kk-1.js");
  expect(() => pages.loadedLater("words/de.ts")).toThrow("has no file for words/de.ts");
  await server.close();
});
