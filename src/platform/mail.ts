import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "./log.ts";
import type { Secret } from "./secret.ts";

/** E-mail through the operator's SMTP server. */
export type Mail = { readonly to: string; readonly subject: string; readonly text: string };

/** All are named in it, and know each other. */
type MailToAll = Omit<Mail, "to"> & { readonly to: readonly string[] };

export type Mailer = {
  /**
   * Does not wait: no request is slower because a mail server is. What the server cannot take now is tried again; what cannot be
   * sent is logged, without what it said.
   */
  readonly send: (mail: Mail) => void;
  /** One try, for a caller that tries again by itself. Undefined: the server took it; else why not, in a word. Never rejects. */
  readonly sendNow: (mail: MailToAll) => Promise<string | undefined>;
  /** Waits for what is under way, and gives up what waits for another try. */
  readonly close: () => Promise<void>;
};

const CONNECTIONS_MAX = 2;
const CONNECT_MS = 10_000;
const ANSWER_MS = 20_000;
/** When a mail is tried again. A server that sends strangers away at first (greylisting) takes it after a few minutes. */
const RETRY_AFTER_MS = [30_000, 6 * 60_000];
/** More than that wait only where the server does not answer; the rest is dropped and logged. */
const WAITING_MAX = 1_000;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

export function openMailer(options: {
  readonly url: Secret<string>;
  readonly from: () => string;
  readonly log: Log;
  readonly retryAfterMs?: readonly number[];
}): Mailer {
  const { from, log, retryAfterMs = RETRY_AFTER_MS } = options;
  let opened: ReturnType<typeof openTransport> | undefined;
  const underWay = new Set<Promise<void>>();
  const closing = new AbortController();

  async function hand(mail: MailToAll): Promise<void> {
    opened ??= openTransport(new URL(options.url.reveal()));
    await (await opened).sendMail({
      from: from(),
      to: mail.to.map((address) => ({ name: "", address })),
      subject: mail.subject,
      text: mail.text,
    });
  }

  async function deliver(mail: Mail): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await hand({ ...mail, to: [mail.to] });
      } catch (error) {
        const waitMs = isTemporary(error) ? retryAfterMs[attempt] : undefined;
        const isGivenUp = waitMs === undefined || closing.signal.aborted || !(await waits(waitMs));
        if (isGivenUp) return log.warn({ reason: codeOf(error), attempts: attempt + 1 }, "an e-mail could not be sent");
      }
    }
  }

  /** False when the mailer is closed meanwhile. */
  function waits(ms: number): Promise<boolean> {
    return sleep(ms, true, { signal: closing.signal, ref: false }).catch(() => false);
  }

  return {
    sendNow: (mail) => hand(mail).then(() => undefined, codeOf),
    send: (mail) => {
      if (underWay.size >= WAITING_MAX) return log.warn({ reason: "too many wait" }, "an e-mail could not be sent");
      const sending: Promise<void> = deliver(mail).finally(() => underWay.delete(sending));
      underWay.add(sending);
    },
    close: async () => {
      closing.abort();
      await Promise.all(underWay);
      (await opened)?.close();
    },
  };
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}

const REFUSED_PERMANENTLY = 500;

/** Whether the server may take the same mail later: it said so (4xx), or could not be spoken to at all. */
function isTemporary(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("responseCode" in error && typeof error.responseCode === "number")
    return error.responseCode < REFUSED_PERMANENTLY;
  return ["ECONNECTION", "ETIMEDOUT", "ESOCKET", "EDNS"].includes(codeOf(error));
}

async function openTransport(url: URL) {
  // Loaded with the first e-mail: it takes 50 ms of processor time, which no other start should pay for.
  const { createTransport } = await import("nodemailer");
  return createTransport({
    host: url.hostname,
    port: Number(url.port) || (url.protocol === "smtps:" ? 465 : 587),
    secure: url.protocol === "smtps:",
    // Passwords and links never leave this machine in the clear.
    requireTLS: url.protocol === "smtp:" && !LOOPBACK.has(url.hostname),
    ...(url.username === ""
      ? {}
      : { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }),
    pool: true,
    maxConnections: CONNECTIONS_MAX,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: ANSWER_MS,
    // Texts are ours and addresses are checked; a file or an address of the network is never read for a mail.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
