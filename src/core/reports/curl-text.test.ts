import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { curlText } from "./curl-text.ts";

it("is a command that a shell reads as it was meant, whatever the payment is called", () => {
  const paymentId = `it's "$HOME" \`id\` \\ $(id)\n;`;
  const text = curlText("https://pay.example", { projectId: "p1", paymentId, direction: "payout", product: "p2p" });
  // A function in the place of curl prints what it was given.
  const script = `curl() { printf '%s\\0' "$@"; }\nSIGNATURE=s\n${text}`;
  const words = execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\0");
  expect(words[0]).toBe("https://pay.example/api/v1/payment/p2p/payout/info");
  expect(words).toContain("x-access-signature: s");
  const body = words[words.indexOf("--data-binary") + 1] ?? "";
  expect(JSON.parse(body)).toEqual({ general: { project_id: "p1", payment_id: paymentId } });
});
