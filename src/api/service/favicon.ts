import type { FastifyInstance } from "fastify";

/** Our own mark, a gate. Pages link to the drawing; browsers that ask for the older form by themselves get that. */
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1a56db"/>
<path d="M7 11h18M10 11v12M16 11v12M22 11v12" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>
`;

/** The same drawing as a PNG of 32 × 32. */
const PNG = [
  "iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAYAAABzenr0AAABrElEQVR4nOyXO0sDQRSFzwyraIL4KHykEUEtBFEQQQvBLphKUFNYqAT/gOjPUGwtxE4QEohW",
  "aiFYCAoixEILE1CbTRSU4CPGJOw4NxhJMIuJbHaafLDsnQdzDsO8roY8miZvmxw1mSUBjMjiIGNohQUIgUf5CzHgLJHW1uO7XfFcG8sF7dORCc6NTVnlQkUR",
  "umHwxVige//HQIc37JbBAWzEMJiHTLDG2ftmZ/rzCox1wFaE/ibq+7kjlZq3X5xgLqdIzmlyoY1AEaTNv1e8EkibZqATiiBtDsVoZg3jAw4M9dbBCi5ukji+",
  "TKBkA+5hJ7ZWrN0YvtUoDs/fUZKBuloGqzEbk7m8YVGs89RYA9pbNIz21Wc/4vT6I/sR5dTrTxkET16RTP2SKj4D1HH76CUbL8+0FAy45n/+V70ZyndB1UDV",
  "QNVA1YD2V4eInrIkNqPoXZBP7l4wZK/887zcelMD8kkek/dUGxQgrT3QGghBHSF6lCozQNocXNuQURx2Q5pSm8d2uu4EmA92I7BA2tlzIOrvDlKuRukSKg4l",
  "p8yjB3r2qFTwUFORnn8BAAD//8Gyy84AAAAGSURBVAMAWfTMquPmIv4AAAAASUVORK5CYII=",
].join("");

const CACHE_SECONDS = 86_400;

export function addFaviconRoutes(server: FastifyInstance): void {
  const add = (path: string, type: string, bytes: string | Buffer) =>
    server.get(path, async (_request, reply) =>
      reply
        .header("content-type", type)
        .header("cache-control", `public, max-age=${CACHE_SECONDS}`)
        .header("x-content-type-options", "nosniff")
        .header("content-security-policy", "default-src 'none'; sandbox")
        .send(bytes),
    );
  add("/favicon.svg", "image/svg+xml", SVG);
  add("/favicon.ico", "image/x-icon", iconFile(Buffer.from(PNG, "base64")));
}

const SIZE = 32;
const HEADER_BYTES = 22;

/** The container that browsers expect at /favicon.ico, with one picture in it. */
function iconFile(png: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  // Kind: an icon; pictures: one.
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  header.writeUInt8(SIZE, 6);
  header.writeUInt8(SIZE, 7);
  // Colour planes, bits of a pixel, length, and where the picture begins.
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(HEADER_BYTES, 18);
  return Buffer.concat([header, png]);
}
