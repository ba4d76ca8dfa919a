import type { FastifyInstance } from "fastify";
import type { Directory } from "../../app/merchants/directory.ts";
import { fault } from "../../core/errors.ts";
import type { Id } from "../../core/ids.ts";
import { sendFault } from "../respond.ts";

type Image = { readonly type: string; readonly bytes: Buffer };

export type BankImagesDeps = {
  readonly currentDirectory: () => Directory | Promise<Directory>;
  readonly findBankImage: (bankId: Id) => Promise<Image | undefined>;
};

/** More than there are banks with pictures; of at most 32 KiB each. */
const KEPT_MAX = 500;

type Asked = { readonly Params: { readonly symbol: string }; readonly Querystring: { readonly v?: unknown } };

/** Pictures that an operator gave for banks. They are no secret, so that a browser keeps one for every payment. */
export function addBankImageRoute(server: FastifyInstance, deps: BankImagesDeps): void {
  const kept = new Map<string, Image>();
  server.get<Asked>("/pay/banks/:symbol", async (request, reply) => {
    const { banks } = await deps.currentDirectory();
    const bank = banks.find(({ symbol }) => symbol === request.params.symbol);
    const version = bank?.imageVersion ?? undefined;
    // Only a bank that has a picture leads to the database, and to that once.
    const image = bank && version && (kept.get(version) ?? (await deps.findBankImage(bank.id)));
    if (!image) return sendFault(reply, fault("not_found", "there is no picture"));
    if (kept.size >= KEPT_MAX) kept.clear();
    kept.set(version, image);
    const isCurrent = request.query.v === version;
    return reply
      .header("content-type", image.type)
      .header("cache-control", isCurrent ? "public, max-age=31536000, immutable" : "public, max-age=300")
      .header("x-content-type-options", "nosniff")
      .header("content-security-policy", "default-src 'none'; sandbox")
      .send(image.bytes);
  });
}
