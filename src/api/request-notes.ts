import type { ErrorCode } from "../core/errors.ts";
import type { AccountErrorCode } from "../core/people/account-fault.ts";

/** What a request is remembered by in the log and in the metrics, once it is known. */
declare module "fastify" {
  interface FastifyRequest {
    projectId: string | undefined;
    faultCode: ErrorCode | AccountErrorCode | undefined;
  }
}
