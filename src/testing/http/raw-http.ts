import { request } from "node:http";

export type RawAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly json: Record<string, unknown>;
};

/** One request, sent exactly as it is given: headers may be doubled, and bodies may be anything. */
export function sendRaw(sent: {
  readonly url: string;
  readonly method?: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: Buffer | string;
}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const body = sent.body ?? "";
    const sending = request(sent.url, { method: sent.method ?? "POST", agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, json: parseOrEmpty(text) });
      });
    });
    sending.on("error", reject);
    const headers = [...(sent.headers ?? []), ["content-length", String(Buffer.byteLength(body))] as const];
    const names = new Set(headers.map(([name]) => name));
    for (const name of names)
      sending.setHeader(
        name,
        headers.filter(([each]) => each === name).map(([, value]) => value),
      );
    sending.end(body);
  });
}

function parseOrEmpty(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
