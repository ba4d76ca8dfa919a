// Tillgate from Java 17 or newer, with nothing but the JDK. Copy this file and change it.
//
//   java Tillgate.java call PATH [BODY]    makes one signed call; BODY is sent exactly as it is given
//   java Tillgate.java payin               makes a whole pay-in in the sandbox
//   java Tillgate.java verify KEY [FILE]   verifies a callback: its headers, an empty line, its body (FILE or stdin).
//                                          KEY is webhook (Standard Webhooks), or rsa or hmac (the x-access-… headers)
//   java Tillgate.java vectors FILE        checks this program against docs/signing-vectors.json
//
// Credentials come from .tillgate/sandbox.json, or from the file that TILLGATE_SANDBOX names. TILLGATE_ALGORITHM is
// RSA-SHA256 or HMAC-SHA512 (scheme 1), RSA-SHA256-V2 or HMAC-SHA512-V2 (scheme 2; the default is HMAC-SHA512-V2).

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public final class Tillgate {
  private static final int ATTEMPTS = 3;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final long TOLERANCE_S = 300;
  private static final int WAIT_S = 60;

  /** A signature, a callback or an answer that must not be believed. */
  static final class Refused extends Exception {
    Refused(String message) {
      super(message);
    }
  }

  // --- What is signed

  /** Scheme 1: each leaf as path:to:it:value, sorted by UTF-16 code unit, joined by semicolons. */
  static String normalise(Object value) {
    List<String> lines = new ArrayList<>();
    collect(value, "", lines);
    lines.sort(null); // String.compareTo goes by UTF-16 code unit, which is the rule
    return String.join(";", lines);
  }

  private static void collect(Object value, String path, List<String> lines) {
    if (value instanceof Map<?, ?> object) {
      object.forEach((name, member) -> collect(member, path + name + ":", lines));
    } else if (value instanceof List<?> list) {
      for (int index = 0; index < list.size(); index++) collect(list.get(index), path + index + ":", lines);
    } else if (value == null) {
      lines.add(path + "None");
    } else if (value instanceof Boolean truth) {
      lines.add(path + (truth ? "1" : "0"));
    } else {
      lines.add(path + value);
    }
  }

  static String messageOf(int scheme, String method, String path, String timestamp, byte[] rawBody)
      throws GeneralSecurityException, Refused {
    if (scheme == 1) return base64url(normalise(Json.parse(rawBody)).getBytes(StandardCharsets.UTF_8)) + timestamp;
    return String.join("\n", method, path, timestamp, HexFormat.of().formatHex(sha256(rawBody)));
  }

  static int schemeOf(String algorithm) {
    return algorithm.endsWith("-V2") ? 2 : 1;
  }

  // --- Keys and encodings

  static byte[] sha256(byte[] data) throws GeneralSecurityException {
    return MessageDigest.getInstance("SHA-256").digest(data);
  }

  static byte[] hmac(String algorithm, byte[] key, byte[] data) throws GeneralSecurityException {
    Mac mac = Mac.getInstance(algorithm);
    mac.init(new SecretKeySpec(key, algorithm));
    return mac.doFinal(data);
  }

  /** Scheme 1 signs the digest of the message, so SHA-256 runs twice. */
  static byte[] rsaInput(int scheme, String message) throws GeneralSecurityException {
    return scheme == 1 ? sha256(utf8(message)) : utf8(message);
  }

  static byte[] rsaSign(byte[] data, String pem) throws GeneralSecurityException {
    PrivateKey key = KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(pemBytes(pem)));
    Signature signer = Signature.getInstance("SHA256withRSA");
    signer.initSign(key);
    signer.update(data);
    return signer.sign();
  }

  static boolean rsaVerifies(byte[] data, String pem, byte[] signature) throws GeneralSecurityException {
    PublicKey key = KeyFactory.getInstance("RSA").generatePublic(new X509EncodedKeySpec(pemBytes(pem)));
    Signature verifier = Signature.getInstance("SHA256withRSA");
    verifier.initVerify(key);
    verifier.update(data);
    try {
      return verifier.verify(signature);
    } catch (SignatureException wrongLength) {
      return false;
    }
  }

  private static byte[] pemBytes(String pem) {
    return Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static String base64url(byte[] data) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(data);
  }

  /** One text for each value: padding, the other alphabet and spare bits in the last character are refused. */
  static byte[] decodeBase64url(String text) throws Refused {
    try {
      byte[] data = Base64.getUrlDecoder().decode(text);
      if (data.length > 0 && base64url(data).equals(text)) return data;
    } catch (IllegalArgumentException notBase64) {
      // Refused below, like every other text that is not the one form.
    }
    throw new Refused("the signature is not base64url without padding");
  }

  // --- Calls

  static Map<String, Object> credentials() throws IOException, Refused {
    String file = System.getenv().getOrDefault("TILLGATE_SANDBOX", ".tillgate/sandbox.json");
    return Json.object(Json.parse(Files.readAllBytes(Path.of(file))));
  }

  static Map<String, String> signedHeaders(
      Map<String, Object> keys, String path, byte[] rawBody, String algorithm, long nowS)
      throws GeneralSecurityException, Refused {
    int scheme = schemeOf(algorithm);
    String timestamp = Long.toString(nowS);
    String message = messageOf(scheme, "POST", path, timestamp, rawBody);
    boolean isRsa = algorithm.startsWith("RSA");
    byte[] signature =
        isRsa
            ? rsaSign(rsaInput(scheme, message), (String) keys.get("rsa_private_key_pem"))
            : hmac("HmacSHA512", utf8((String) keys.get("hmac_secret")), utf8(message));
    return Map.of(
        "content-type", "application/json",
        "x-access-timestamp", timestamp,
        "x-access-merchant-id", (String) keys.get("merchant_id"),
        "x-access-token", (String) keys.get(isRsa ? "rsa_access_token" : "hmac_key_id"),
        "x-access-merchant-algorithm", algorithm,
        "x-access-signature", base64url(signature));
  }

  /** A signed call goes where it was signed for, or nowhere: by default this client follows no redirect. */
  private static final HttpClient CLIENT = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();

  /**
   * One signed call. After silence, 429 or 5xx the same bytes are sent again, signed again: the service knows the
   * payment by its payment_id, so repeating never pays twice. A new id would.
   */
  static HttpResponse<String> send(String path, byte[] rawBody) throws Exception {
    Map<String, Object> keys = credentials();
    String algorithm = System.getenv().getOrDefault("TILLGATE_ALGORITHM", "HMAC-SHA512-V2");
    for (int attempt = 1; ; attempt++) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(keys.get("base_url") + path))
              .timeout(TIMEOUT)
              .POST(HttpRequest.BodyPublishers.ofByteArray(rawBody));
      signedHeaders(keys, path, rawBody, algorithm, System.currentTimeMillis() / 1000).forEach(request::header);
      long waitS = 1L << (attempt - 1);
      try {
        HttpResponse<String> answer = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
        boolean isFinal = answer.statusCode() != 429 && answer.statusCode() < 500;
        if (isFinal || attempt == ATTEMPTS) return answer;
        waitS = answer.headers().firstValueAsLong("retry-after").orElse(waitS);
      } catch (IOException silence) {
        if (attempt == ATTEMPTS) throw silence;
      }
      Thread.sleep(waitS * 1000);
    }
  }

  static Map<String, Object> call(String path, String body) throws Exception {
    HttpResponse<String> answer = send(path, utf8(body));
    Map<String, Object> payment = Json.object(Json.parse(utf8(answer.body())));
    if (answer.statusCode() == 200) return payment;
    String what = payment.get("code") + ": " + payment.get("status_description");
    throw new Refused(path + ": " + answer.statusCode() + " " + what);
  }

  // --- Callbacks

  /** By the Standard Webhooks signature, which covers the bytes of the body: prefer it. */
  static Map<String, Object> verifyWebhook(Map<String, String> headers, byte[] rawBody, String secret, long nowS)
      throws GeneralSecurityException, Refused {
    String timestamp = header(headers, "webhook-timestamp");
    requireFresh(timestamp, nowS);
    byte[] start = utf8(header(headers, "webhook-id") + "." + timestamp + ".");
    byte[] signed = ByteBuffer.allocate(start.length + rawBody.length).put(start).put(rawBody).array();
    byte[] key = Base64.getDecoder().decode(secret.replaceFirst("^whsec_", ""));
    byte[] expected = utf8("v1," + Base64.getEncoder().encodeToString(hmac("HmacSHA256", key, signed)));
    boolean fits = false;
    // There are two entries while the secret is being replaced.
    for (String entry : header(headers, "webhook-signature").split(" ")) {
      fits |= MessageDigest.isEqual(expected, utf8(entry)); // takes the same time wherever they differ
    }
    if (!fits) throw new Refused("no signature fits");
    return Json.object(Json.parse(rawBody));
  }

  /** By the x-access-… headers (scheme 1). The key is the one you were given; x-access-token is not looked at. */
  static Map<String, Object> verifyCallback(
      Map<String, String> headers, byte[] rawBody, boolean isRsa, Map<String, Object> keys, long nowS)
      throws GeneralSecurityException, Refused {
    String timestamp = header(headers, "x-access-timestamp");
    requireFresh(timestamp, nowS);
    String algorithm = isRsa ? "RSA-SHA256" : "HMAC-SHA512";
    if (!headers.getOrDefault("x-access-merchant-algorithm", "RSA-SHA256").equals(algorithm)) {
      throw new Refused("the callback is not signed with " + algorithm);
    }
    String message = messageOf(1, "POST", "", timestamp, rawBody);
    List<String> given = new ArrayList<>(List.of(header(headers, "x-access-signature")));
    if (headers.containsKey("x-access-signature-next")) given.add(headers.get("x-access-signature-next"));
    boolean fits = false;
    for (String text : given) {
      byte[] signature = decodeBase64url(text);
      fits |=
          isRsa
              ? rsaVerifies(rsaInput(1, message), (String) keys.get("callback_public_key_pem"), signature)
              : MessageDigest.isEqual(
                  hmac("HmacSHA512", utf8((String) keys.get("callback_hmac_secret")), utf8(message)), signature);
    }
    if (!fits) throw new Refused("no signature fits");
    Map<String, Object> body = Json.object(Json.parse(rawBody));
    requireOneReading(body);
    // The service signs for all its merchants with one RSA key: without this, another merchant's callback would pass.
    if (!keys.get("project_id").equals(body.get("project_id"))) {
      throw new Refused("the callback is of another project");
    }
    return body;
  }

  private static String header(Map<String, String> headers, String name) throws Refused {
    if (headers.containsKey(name)) return headers.get(name);
    throw new Refused("the header " + name + " is missing");
  }

  private static void requireFresh(String timestamp, long nowS) throws Refused {
    if (!timestamp.matches("[0-9]{10}")) throw new Refused("the timestamp is not Unix time in seconds");
    if (Math.abs(nowS - Long.parseLong(timestamp)) > TOLERANCE_S) {
      throw new Refused("the timestamp is more than " + TOLERANCE_S + " s away");
    }
  }

  private static final Set<String> MEMBERS =
      Set.of("project_id", "general", "status", "payment_info", "requisites", "integration", "event");

  /** Scheme 1 signs text, so one signature fits several bodies. What only a forger would send is refused. */
  private static void requireOneReading(Map<String, Object> body) throws Refused {
    Set<String> names = new HashSet<>(MEMBERS);
    names.addAll(body.keySet());
    if (Json.object(body.get("status")).containsValue("None")) throw new Refused("a null is written as text");
    refuseForgeries(body, names);
  }

  private static void refuseForgeries(Object value, Set<String> names) throws Refused {
    if (value instanceof String text && names.stream().anyMatch(name -> text.contains(";" + name + ":"))) {
      throw new Refused("a string reads like further members");
    }
    if (value instanceof List<?> list) for (Object member : list) refuseForgeries(member, names);
    if (!(value instanceof Map<?, ?> object)) return;
    for (Map.Entry<?, ?> member : object.entrySet()) {
      if (!member.getKey().toString().matches("[A-Za-z][A-Za-z0-9_-]*")) throw new Refused("a name is not a plain word");
      refuseForgeries(member.getValue(), names);
    }
  }

  // --- Commands

  private static int commandCall(String path, String body) throws Exception {
    HttpResponse<String> answer = send(path, utf8(body));
    System.out.println(answer.body());
    return answer.statusCode() == 200 ? 0 : 1;
  }

  private static int commandPayin() throws Exception {
    String paymentId = "java-" + System.currentTimeMillis(); // your own id: keep it before you send it
    String general = String.format(
        "\"general\":{\"project_id\":\"%s\",\"payment_id\":\"%s\"}", credentials().get("project_id"), paymentId);
    String terms = "\"payment\":{\"method\":\"card-p2p\",\"amount\":250000,\"currency\":\"RUB\"}"; // 2,500.00 roubles
    String customer = "\"customer\":{\"id\":\"customer-1\",\"ip_address\":\"192.0.2.1\"}";
    call("/api/v1/payment/p2p/payin", "{" + general + "," + terms + "," + customer + "}");
    String payment = "{" + general + "}";
    Map<String, Object> requisites = Json.object(until(payment, found -> found.containsKey("requisites")).get("requisites"));
    System.out.println("The payer sends " + requisites.get("amount") + " to " + requisites.get("pan"));
    call("/api/v1/payment/p2p/payin/confirm", payment); // the payer says that it is done
    Map<String, Object> paid = until(payment, found -> Set.of("success", "decline").contains(found.get("status")));
    Object net = Json.object(paid.get("payment")).get("net");
    System.out.println("Pay-in " + paymentId + ": " + paid.get("status") + ", and " + net + " of it is ours");
    return paid.get("status").equals("success") ? 0 : 1;
  }

  /** A shop waits for the callback instead. */
  private static Map<String, Object> until(String payment, Predicate<Map<String, Object>> isEnough) throws Exception {
    for (int tries = 0; tries < 2 * WAIT_S; tries++) {
      Map<String, Object> found = call("/api/v1/payment/p2p/payin/info", payment);
      if (isEnough.test(found)) return found;
      Thread.sleep(500);
    }
    throw new Refused("nothing happened for " + WAIT_S + " s");
  }

  /** The message is headers, an empty line, and the body byte for byte. */
  private static int commandVerify(String kind, byte[] message) throws Exception {
    if (!Set.of("webhook", "rsa", "hmac").contains(kind)) throw new Refused("KEY is webhook, rsa or hmac");
    String text = new String(message, StandardCharsets.ISO_8859_1); // a character is a byte
    String[] parts = text.split("\r?\n\r?\n", 2);
    if (parts.length < 2) throw new Refused("there is no empty line between the headers and the body");
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (String line : parts[0].split("\r?\n")) {
      String[] pair = line.split(":", 2);
      if (headers.put(pair[0], pair[pair.length - 1].strip()) != null) {
        throw new Refused("the header " + pair[0] + " is there twice");
      }
    }
    byte[] rawBody = parts[1].getBytes(StandardCharsets.ISO_8859_1);
    Map<String, Object> keys = credentials();
    long nowS = System.currentTimeMillis() / 1000;
    Map<String, Object> callback =
        kind.equals("webhook")
            ? verifyWebhook(headers, rawBody, (String) keys.get("webhook_secret"), nowS)
            : verifyCallback(headers, rawBody, kind.equals("rsa"), keys, nowS);
    Object status = Json.object(callback.get("status")).get("status");
    System.out.println("Verified: " + Json.object(callback.get("general")).get("payment_id") + " " + status);
    return 0;
  }

  private static int commandVectors(String file) throws Exception {
    Map<String, Object> content = Json.object(Json.parse(Files.readAllBytes(Path.of(file))));
    String pem = (String) Json.object(content.get("rsa")).get("public_key_pem");
    String secret = (String) Json.object(content.get("hmac")).get("secret");
    List<?> vectors = (List<?>) content.get("vectors");
    int accepted = 0;
    int wrong = 0;
    for (Object each : vectors) {
      Map<String, Object> vector = Json.object(each);
      int scheme = Integer.parseInt(vector.get("scheme").toString());
      byte[] rawBody = utf8((String) vector.get("body"));
      String timestamp = vector.get("timestamp").toString();
      String made =
          messageOf(scheme, (String) vector.get("method"), (String) vector.get("path"), timestamp, rawBody);
      boolean isReproduced = made.equals(vector.get("message"));
      boolean isAccepted = isReproduced && isAccepted(vector, scheme, pem, secret);
      if (isAccepted) accepted++;
      if (isReproduced && vector.get("valid").equals(isAccepted)) continue;
      wrong++;
      System.err.println("WRONG " + vector.get("algorithm") + ": " + vector.get("name"));
    }
    System.out.printf(
        "%d vectors: %d accepted, %d refused, %d wrong%n", vectors.size(), accepted, vectors.size() - accepted, wrong);
    return wrong == 0 ? 0 : 1;
  }

  private static boolean isAccepted(Map<String, Object> vector, int scheme, String pem, String secret)
      throws GeneralSecurityException {
    String message = (String) vector.get("message");
    try {
      byte[] signature = decodeBase64url((String) vector.get("signature"));
      return vector.get("algorithm").toString().startsWith("RSA")
          ? rsaVerifies(rsaInput(scheme, message), pem, signature)
          : MessageDigest.isEqual(hmac("HmacSHA512", utf8(secret), utf8(message)), signature);
    } catch (Refused malformed) {
      return false;
    }
  }

  public static void main(String[] arguments) throws Exception {
    String command = arguments.length > 0 ? arguments[0] : "";
    String first = arguments.length > 1 ? arguments[1] : "";
    try {
      System.exit(
          switch (command) {
            case "call" -> commandCall(first, arguments.length > 2 ? arguments[2] : ownProject());
            case "payin" -> commandPayin();
            case "verify" -> commandVerify(
                first, arguments.length > 2 ? Files.readAllBytes(Path.of(arguments[2])) : System.in.readAllBytes());
            case "vectors" -> commandVectors(first);
            default -> throw new Refused("usage: see the first lines of Tillgate.java");
          });
    } catch (Refused refusal) {
      System.err.println("Refused: " + refusal.getMessage());
      System.exit(1);
    }
  }

  private static String ownProject() throws IOException, Refused {
    return "{\"general\":{\"project_id\":\"" + credentials().get("project_id") + "\"}}";
  }

  /**
   * The JDK has no JSON, so here is as much of it as this file needs: whole numbers, at most 32 levels. If your program
   * has a JSON library, use that, with numbers read as whole numbers.
   */
  static final class Json {
    private static final int DEPTH_MAX = 32;
    private final String text;
    private int at = 0;

    private Json(String text) {
      this.text = text;
    }

    static Object parse(byte[] raw) throws Refused {
      String text;
      try {
        text =
            StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .decode(ByteBuffer.wrap(raw))
                .toString();
      } catch (CharacterCodingException notUtf8) {
        throw new Refused("the body is not UTF-8");
      }
      Json json = new Json(text);
      Object value = json.value(0);
      json.skipSpace();
      if (json.at < text.length()) throw json.fault();
      return value;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Object value) throws Refused {
      if (value instanceof Map<?, ?> map) return (Map<String, Object>) map;
      throw new Refused("the JSON is not what was expected");
    }

    private Object value(int depth) throws Refused {
      skipSpace();
      char next = at < text.length() ? text.charAt(at) : ' ';
      if (depth > DEPTH_MAX) throw fault();
      if (next == '{') return members(depth);
      if (next == '[') return elements(depth);
      if (next == '"') return string();
      for (String word : new String[] {"true", "false", "null"}) {
        if (text.startsWith(word, at)) {
          at += word.length();
          return word.equals("null") ? null : Boolean.valueOf(word);
        }
      }
      return number();
    }

    private Map<String, Object> members(int depth) throws Refused {
      Map<String, Object> found = new LinkedHashMap<>();
      at++;
      if (isNext('}')) return found;
      do {
        skipSpace();
        String name = string();
        if (!isNext(':')) throw fault();
        found.put(name, value(depth + 1));
      } while (isNext(','));
      if (!isNext('}')) throw fault();
      return found;
    }

    private List<Object> elements(int depth) throws Refused {
      List<Object> found = new ArrayList<>();
      at++;
      if (isNext(']')) return found;
      do found.add(value(depth + 1));
      while (isNext(','));
      if (!isNext(']')) throw fault();
      return found;
    }

    private String string() throws Refused {
      if (at >= text.length() || text.charAt(at++) != '"') throw fault();
      StringBuilder made = new StringBuilder();
      while (at < text.length() && text.charAt(at) != '"') {
        char next = text.charAt(at++);
        if (next < ' ') throw fault();
        made.append(next == '\\' ? escaped() : next);
      }
      if (at++ >= text.length()) throw fault();
      // Half of a surrogate pair has no UTF-8 form.
      if (!StandardCharsets.UTF_8.newEncoder().canEncode(made)) throw fault();
      return made.toString();
    }

    private char escaped() throws Refused {
      int place = at < text.length() ? "\"\\/bfnrt".indexOf(text.charAt(at)) : -1;
      if (place >= 0) {
        at++;
        return "\"\\/\b\f\n\r\t".charAt(place);
      }
      if (!text.regionMatches(at, "u", 0, 1) || at + 5 > text.length()) throw fault();
      String digits = text.substring(at + 1, at + 5);
      if (!digits.matches("[0-9A-Fa-f]{4}")) throw fault();
      at += 5;
      return (char) Integer.parseInt(digits, 16);
    }

    /** As it is written: the two schemes agree on whole numbers only, so a fraction or an exponent is refused. */
    private Object number() throws Refused {
      int start = at;
      while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) at++;
      String digits = text.substring(start, at);
      if (!digits.matches("0|-?[1-9][0-9]*")) throw fault();
      return new java.math.BigInteger(digits);
    }

    private boolean isNext(char wanted) {
      skipSpace();
      boolean is = at < text.length() && text.charAt(at) == wanted;
      if (is) at++;
      return is;
    }

    private void skipSpace() {
      while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
    }

    private Refused fault() {
      return new Refused("the body is not JSON with whole numbers, at character " + at);
    }
  }
}
