import type { Direction } from "../merchants/methods.ts";

type CurledPayment = {
  readonly projectId: string;
  readonly paymentId: string;
  readonly direction: Direction;
  readonly product: "p2p" | "ecom" | "widget";
};

/**
 * The call that asks for a payment, as a command. What is secret or made of a secret is a variable of the shell, to be filled
 * in where the key is.
 */
export function curlText(publicUrl: string, payment: CurledPayment): string {
  const { projectId, paymentId } = payment;
  const body = JSON.stringify({ general: { project_id: projectId, payment_id: paymentId } });
  return curlOf(`${publicUrl}${infoPath(payment)}`, body);
}

export function curlOf(url: string, body: string): string {
  const lines = [
    `curl ${quoted(url)}`,
    "-H 'content-type: application/json'",
    '-H "x-access-timestamp: $TIMESTAMP"',
    '-H "x-access-merchant-id: $MERCHANT_ID"',
    '-H "x-access-token: $ACCESS_TOKEN"',
    '-H "x-access-merchant-algorithm: $ALGORITHM"',
    '-H "x-access-signature: $SIGNATURE"',
    `--data-binary ${quoted(body)}`,
  ];
  return lines.join(" \\\n  ");
}

function infoPath({ product, direction }: CurledPayment): string {
  return product === "widget" ? "/api/v1/widget/payin/info" : `/api/v1/payment/${product}/${direction}/info`;
}

/** Between single quotes a shell takes everything as it is but the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
