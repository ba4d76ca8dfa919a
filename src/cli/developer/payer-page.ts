import type { JsonObject } from "../../platform/strict-json.ts";
import { CliFault, EXIT } from "../kit/command.ts";
import { showForeignText } from "../kit/foreign-text.ts";
import { explainSilence } from "./call-send.ts";
import { errorMember } from "./explain-answer.ts";

export type PageDeed = "choose" | "card" | "confirm" | "cancel";

const TIMEOUT_MS = 30_000;
const SAID_MAX = 300;

/** Does what the payer's browser does on the hosted payment page. It needs no key: the address itself is the payer's. */
export async function actAsPayer(
  formUrl: string,
  { deed, body }: { readonly deed: PageDeed; readonly body: JsonObject },
  startCommand: string,
): Promise<void> {
  const { request } = await import("undici");
  const { origin } = new URL(formUrl);
  let answer: { status: number; text: string };
  try {
    const response = await request(`${formUrl}/${deed}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    answer = { status: response.statusCode, text: await response.body.text() };
  } catch (error) {
    throw new CliFault(explainSilence(error, origin, startCommand), EXIT.unavailable);
  }
  if (answer.status === 200) return;
  const said = errorMember(answer.text, "status_description") ?? "";
  throw new CliFault(`The payment page refused ${deed} (HTTP ${answer.status}): ${showForeignText(said, SAID_MAX)}.`);
}
