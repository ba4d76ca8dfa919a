import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** A message as it was handed in. */
export type TakenMail = { readonly from: string; readonly to: readonly string[]; readonly data: string };

export type SmtpServer = {
  readonly url: string;
  readonly mails: readonly TakenMail[];
  /** Answers the next mails with these lines instead of taking them: `451 later`. */
  readonly refuseNext: (...lines: string[]) => void;
  readonly close: () => Promise<void>;
};

/** A mail server on 127.0.0.1 that speaks as much of RFC 5321 as a client needs, and keeps what it is given. */
export async function openSmtpServer(): Promise<SmtpServer> {
  const mails: TakenMail[] = [];
  const refusals: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
    converse(socket, (mail) => {
      const refusal = refusals.shift();
      if (refusal === undefined) mails.push(mail);
      return refusal ?? "250 taken";
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    refuseNext: (...lines) => void refusals.push(...lines),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function converse(socket: Socket, take: (mail: TakenMail) => string): void {
  let from = "";
  let to: string[] = [];
  let data: string[] | undefined;
  let rest = "";
  const say = (line: string) => socket.write(`${line}\r\n`);
  const hear = (line: string) => {
    if (data !== undefined) {
      if (line !== ".") return void data.push(line.startsWith("..") ? line.slice(1) : line);
      const answer = take({ from, to, data: data.join("\n") });
      data = undefined;
      return void say(answer);
    }
    const command = line.toUpperCase();
    if (command.startsWith("MAIL FROM:")) from = /<(.*?)>/.exec(line)?.[1] ?? "";
    if (command.startsWith("MAIL FROM:")) to = [];
    if (command.startsWith("RCPT TO:")) to = [...to, /<(.*?)>/.exec(line)?.[1] ?? ""];
    if (command === "DATA") data = [];
    say(command === "DATA" ? "354 go on" : command === "QUIT" ? "221 bye" : "250 ok");
    if (command === "QUIT") socket.end();
  };
  say("220 test server");
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\r\n");
    rest = lines.pop() ?? "";
    for (const line of lines) hear(line);
  });
}
