import { heading } from "./heading.ts";
import { indented, literal, type Notation } from "./literal.ts";
import type { SampleCall } from "./sample.ts";

/** A text block, through String.formatted: backslashes are doubled, and so is %. */
const JSON_IN_JAVA: Notation = {
  projectId: '"%1$s"',
  paymentId: '"%2$s"',
  string: (text) => JSON.stringify(text).replaceAll("\\", "\\\\").replaceAll("%", "%%"),
  object: { open: "{", close: "}", member: (name, value) => `"${name}": ${value}` },
  list: { open: "[", close: "]" },
  hasTrailingComma: false,
  indent: "  ",
  padding: " ",
};

const MARGIN = " ".repeat(12);

export function javaSample(call: SampleCall): string {
  const { path, body, paymentId } = call;
  const id =
    paymentId === undefined
      ? ""
      : paymentId.isNew
        ? `        String paymentId = "${paymentId.text}-" + System.currentTimeMillis(); // your id: store it first\n`
        : `        String paymentId = "${paymentId.text}"; // the id that you gave the payment\n`;
  const values = paymentId === undefined ? 'value("project_id")' : 'value("project_id"), paymentId';
  return `${heading(call, "//", { needs: "Java 17 or later and no library", save: "Save as Call.java, then: java Call.java" })}
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Call {
    static String sandbox;

    public static void main(String[] arguments) throws Exception {
        String file = System.getenv().getOrDefault("TILLGATE_SANDBOX", ".tillgate/sandbox.json");
        sandbox = Files.readString(Path.of(file));

        String path = "${path}";
${id}        String body = """
${MARGIN}${indented(literal(body, JSON_IN_JAVA), MARGIN)}""".formatted(${values});

        String timestamp = String.valueOf(Instant.now().getEpochSecond());
        byte[] bodyHash = MessageDigest.getInstance("SHA-256").digest(body.getBytes("UTF-8"));
        String message = "POST\\n" + path + "\\n" + timestamp + "\\n" + HexFormat.of().formatHex(bodyHash);
        Mac mac = Mac.getInstance("HmacSHA512");
        mac.init(new SecretKeySpec(value("hmac_secret").getBytes("UTF-8"), "HmacSHA512"));
        String signature = Base64.getUrlEncoder().withoutPadding().encodeToString(mac.doFinal(message.getBytes("UTF-8")));

        HttpRequest request = HttpRequest.newBuilder(URI.create(value("base_url") + path))
            .timeout(Duration.ofSeconds(30))
            .header("content-type", "application/json")
            .header("x-access-timestamp", timestamp)
            .header("x-access-merchant-id", value("merchant_id"))
            .header("x-access-token", value("hmac_key_id"))
            .header("x-access-merchant-algorithm", "HMAC-SHA512-V2")
            .header("x-access-signature", signature)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        System.out.println(answer.body());
        System.out.println(answer.statusCode());
    }

    /** Java has no JSON in its own library; the file is flat, so this is enough for it. */
    static String value(String name) {
        var found = Pattern.compile("\\"" + name + "\\": *\\"([^\\"]*)\\"").matcher(sandbox);
        if (!found.find()) throw new IllegalStateException(name + " is missing in the file of credentials");
        return found.group(1);
    }
}
`;
}
