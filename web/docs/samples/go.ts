import { heading } from "./heading.ts";
import { indented, literal, type Notation } from "./literal.ts";
import type { SampleCall } from "./sample.ts";

const GO: Notation = {
  projectId: 'sandbox["project_id"]',
  paymentId: "paymentID",
  // What JSON escapes, Go reads alike.
  string: (text) => JSON.stringify(text),
  words: { true: "true", false: "false", null: "nil" },
  object: { open: "map[string]any{", close: "}", member: (name, value) => `"${name}": ${value}` },
  list: { open: "[]any{", close: "}" },
  hasTrailingComma: true,
  indent: "\t",
  padding: "",
};

export function goSample(call: SampleCall): string {
  const { path, body, paymentId } = call;
  const id =
    paymentId === undefined
      ? ""
      : paymentId.isNew
        ? `\tpaymentID := fmt.Sprintf("${paymentId.text}-%d", time.Now().UnixNano()) // your id: store it first\n`
        : `\tpaymentID := "${paymentId.text}" // the id that you gave the payment\n`;
  return `${heading(call, "//", { needs: "Go 1.18 or later and no package", save: "Save as call.go, then: go run call.go" })}
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

func main() {
	file := os.Getenv("TILLGATE_SANDBOX")
	if file == "" {
		file = ".tillgate/sandbox.json"
	}
	content, err := os.ReadFile(file)
	check(err)
	var sandbox map[string]string
	check(json.Unmarshal(content, &sandbox))

	path := "${path}"
${id}	body, err := json.Marshal(${indented(literal(body, GO), "\t")})
	check(err)

	timestamp := fmt.Sprint(time.Now().Unix())
	message := fmt.Sprintf("POST\\n%s\\n%s\\n%x", path, timestamp, sha256.Sum256(body))
	mac := hmac.New(sha512.New, []byte(sandbox["hmac_secret"]))
	mac.Write([]byte(message))
	signature := base64.RawURLEncoding.EncodeToString(mac.Sum(nil))

	request, err := http.NewRequest("POST", sandbox["base_url"]+path, bytes.NewReader(body))
	check(err)
	request.Header.Set("content-type", "application/json")
	request.Header.Set("x-access-timestamp", timestamp)
	request.Header.Set("x-access-merchant-id", sandbox["merchant_id"])
	request.Header.Set("x-access-token", sandbox["hmac_key_id"])
	request.Header.Set("x-access-merchant-algorithm", "HMAC-SHA512-V2")
	request.Header.Set("x-access-signature", signature)

	client := http.Client{Timeout: 30 * time.Second}
	answer, err := client.Do(request)
	check(err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	check(err)
	fmt.Printf("%s\\n%d\\n", text, answer.StatusCode)
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
`;
}
