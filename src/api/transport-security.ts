/** A year, as browsers' lists demand at least. */
const ONLY_TLS_FOR_A_YEAR = "max-age=31536000; includeSubDomains";

/**
 * What every answer of a service that is reached by https says: come by https only. The proxy in front speaks TLS, so
 * the address that callers use decides, and not the connection to us.
 */
export function transportSecurityOf(publicUrl: string): string | undefined {
  return publicUrl.startsWith("https:") ? ONLY_TLS_FOR_A_YEAR : undefined;
}

export const TRANSPORT_SECURITY_HEADER = "strict-transport-security";
