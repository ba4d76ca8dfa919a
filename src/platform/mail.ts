import type { Log } from "./log.ts";
import type { Secret } from "./secret.ts";

/** E-mail through the operator's SMTP server. */
export type Mail = { readonly to: string; readonly subject: string; readonly text: string };

export type Mailer = {
  /** Does not wait: no request is slower because a mail server is. What cannot be sent is logged, without what it said. */
  readonly send: (mail: Mail) => void;
  /** Waits for what is under way. */
  readonly close: () => Promise<void>;
};

const CONNECTIONS_MAX = 2;
const CONNECT_MS = 10_000;
const ANSWER_MS = 20_000;
/** More than that wait only where the server does not answer; the rest is dropped and logged. */
const WAITING_MAX = 1_000;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

export function openMailer(options: {
  readonly url: Secret<string>;
  readonly from: () => string;
  readonly log: Log;
}): Mailer {
  const { from, log } = options;
  let opened: ReturnType<typeof openTransport> | undefined;
  const underWay = new Set<Promise<void>>();

  async function deliver(mail: Mail): Promise<void> {
    try {
      opened ??= openTransport(new URL(options.url.reveal()));
      await (await opened).sendMail({
        from: from(),
        to: { name: "", address: mail.to },
        subject: mail.subject,
        text: mail.text,
      });
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
      log.warn({ reason: code }, "an e-mail could not be sent");
    }
  }

  return {
    send: (mail) => {
      if (underWay.size >= WAITING_MAX) return log.warn({ reason: "too many wait" }, "an e-mail could not be sent");
      const sending: Promise<void> = deliver(mail).finally(() => underWay.delete(sending));
      underWay.add(sending);
    },
    close: async () => {
      await Promise.all(underWay);
      (await opened)?.close();
    },
  };
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
