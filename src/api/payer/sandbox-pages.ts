import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { findPageLanguage, languageOfBrowser, type PageLanguage } from "../../app/page/page-language.ts";
import { callerOf } from "../../core/merchants/network.ts";
import { html } from "../../platform/html.ts";
import { type AdmitPayerDeps, retryAfterS } from "./admit-payer.ts";
import { sendPayerPage } from "./page.ts";
import type { PayerWords } from "./words/payer-words.ts";
import { PAYER_WORDS } from "./words/words.ts";

export type SandboxPagesDeps = AdmitPayerDeps & {
  /** The sandbox's own pages; undefined where there is no sandbox, and as an answer while it cannot be reached. */
  readonly sandboxPages: { readonly fetchPage: FetchPage } | undefined;
};

type FetchPage = (wanted: {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly form: Buffer | undefined;
  readonly language: string;
}) => Promise<
  { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: Buffer } | undefined
>;

/** Below the service's own public URL, so that a payer's phone can open what only this machine could otherwise. */
export const SANDBOX_PAGES_PATH = "/sandbox";

/** The issuer's pages, and the bank's. Nothing else of the sandbox can be reached from outside. */
const ISSUER_PAGES = ["/acs/challenge", "/acs/pareq", "/acs/method"] as const;
const BANK_PAGES = ["/checkout", "/qr", "/wallet"] as const;
const TOKEN = /^[A-Za-z0-9_-]{1,128}$/;

/** Several payers may share an address; far more than their clicks is no payer. */
const PAGE_RATE = { perSecond: 20, burst: 200 };

/** Passes browsers on to the sandbox's pages, over HTTP, as any client reaches them. */
export function addSandboxPageRoutes(server: FastifyInstance, deps: SandboxPagesDeps): void {
  const { sandboxPages } = deps;
  if (sandboxPages === undefined) return;
  const pass = async (request: FastifyRequest, reply: FastifyReply, path: string): Promise<FastifyReply> => {
    const waitMs = deps.pagesByToken.take(`sandbox ${callerOf(request.ip)}`, PAGE_RATE, deps.clock.nowMs());
    const language = languageWanted(request);
    if (waitMs > 0) return sendNotice(reply.header("retry-after", retryAfterS(waitMs)), language, "tooFast");
    const page = await sandboxPages.fetchPage({
      method: request.method === "POST" ? "POST" : "GET",
      path,
      form: Buffer.isBuffer(request.body) ? request.body : undefined,
      language,
    });
    if (page === undefined) return sendNotice(reply.header("retry-after", SILENT_RETRY_S), language, "silent");
    return reply.code(page.status).headers(page.headers).send(page.body);
  };
  for (const page of ISSUER_PAGES) {
    const url = `${SANDBOX_PAGES_PATH}${page}`;
    server.route({ method: ["GET", "POST"], url, handler: (request, reply) => pass(request, reply, page) });
  }
  for (const page of BANK_PAGES) {
    server.route<{ Params: { token: string } }>({
      method: ["GET", "POST"],
      url: `${SANDBOX_PAGES_PATH}${page}/:token`,
      handler: (request, reply) => {
        const { token } = request.params;
        // A token that cannot be one is not worth a question, and cannot lead to another path.
        if (TOKEN.test(token)) return pass(request, reply, `${page}/${token}`);
        return sendNotice(reply, languageWanted(request), "unknown");
      },
    });
  }
}

const SILENT_RETRY_S = 1;

/** A bank knows its customer by the browser; testers ask for another language by `?lang=`. */
function languageWanted({ query, headers }: FastifyRequest): PageLanguage {
  const { lang } = query as { readonly lang?: unknown };
  return findPageLanguage(lang) ?? languageOfBrowser(headers["accept-language"]);
}

const STATUSES = { unknown: 404, tooFast: 429, silent: 503 } satisfies Record<keyof PayerWords["sandbox"], number>;

function sendNotice(reply: FastifyReply, language: PageLanguage, why: keyof typeof STATUSES): FastifyReply {
  const { title, text } = PAYER_WORDS[language].sandbox[why];
  return sendPayerPage(reply, { language, title, body: html`<h1>${title}</h1><p>${text}</p>`, status: STATUSES[why] });
}
