import type { Directory } from "../../app/merchants/directory.ts";
import type { AnsweredCall } from "../../app/request-log/answered-call.ts";
import type { Id } from "../../core/ids.ts";
import type { IncomingCall } from "./admit.ts";
import type { CallAnswer } from "./answer-call.ts";
import type { MerchantDeps } from "./call.ts";

/**
 * Remembers a call for the request log of its project. Called when the answer is on its way: a caller cannot tell by the time
 * that it takes whether the project exists that an unsigned call names.
 */
export function noteCall(
  { callLog, directory }: Pick<MerchantDeps, "callLog" | "directory">,
  incoming: IncomingCall,
  answered: CallAnswer,
): void {
  if (callLog === undefined) return;
  const { signer } = answered;
  if (signer !== undefined) {
    callLog.note(signer.projectId, callOf(incoming, answered, signer.keyId));
    return;
  }
  const named = findNamed(directory.peek(), incoming);
  if (named !== undefined) callLog.noteUnsigned(named.projectId, callOf(incoming, answered, named.keyId));
}

function callOf(incoming: IncomingCall, answered: CallAnswer, keyId: Id | undefined): AnsweredCall {
  return {
    id: incoming.id as Id,
    path: incoming.path,
    status: answered.status,
    code: answered.faultCode,
    ms: performance.now() - incoming.startedMs,
    keyId,
    address: incoming.address,
    body: incoming.rawBody,
    answer: answered.json,
    isReplay: answered.replayed,
  };
}

type Named = { readonly projectId: Id; readonly keyId: Id | undefined };

/** In the first bytes of a body: nothing is known yet of who sent it. */
const SEARCHED_BYTES = 2_048;
const PROJECT_MEMBER = /"project_id"\s*:\s*"([0-9a-f]{32})"/;

/** The project that an unsigned call names; with the key whose token it bears, if that key is of the same merchant. */
function findNamed({ projects, keysByToken }: Directory, { rawHeaders, rawBody }: IncomingCall): Named | undefined {
  const inBody = PROJECT_MEMBER.exec(rawBody.toString("latin1", 0, SEARCHED_BYTES))?.[1] ?? "";
  const project = projects.get(inBody) ?? projects.get(headerOf(rawHeaders, "x-access-merchant-id"));
  if (project === undefined) return undefined;
  const key = keysByToken.get(headerOf(rawHeaders, "x-access-token"));
  return { projectId: project.id, keyId: key?.merchantId === project.merchantId ? key.id : undefined };
}

function headerOf(rawHeaders: readonly string[], name: string): string {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const rawName = rawHeaders[index] ?? "";
    if (rawName.length === name.length && rawName.toLowerCase() === name) return rawHeaders[index + 1] ?? "";
  }
  return "";
}
