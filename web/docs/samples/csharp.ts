import { heading } from "./heading.ts";
import { literal, type Notation } from "./literal.ts";
import type { SampleCall } from "./sample.ts";

const CSHARP: Notation = {
  projectId: 'Value("project_id")',
  paymentId: "paymentId",
  // What JSON escapes, C# reads alike.
  string: (text) => JSON.stringify(text),
  object: { open: "new JsonObject {", close: "}", member: (name, value) => `["${name}"] = ${value}` },
  list: { open: "new JsonArray {", close: "}" },
  hasTrailingComma: true,
  indent: "    ",
  padding: " ",
};

export function csharpSample(call: SampleCall): string {
  const { path, body, paymentId } = call;
  const id =
    paymentId === undefined
      ? ""
      : paymentId.isNew
        ? `var paymentId = $"${paymentId.text}-{DateTimeOffset.UtcNow.ToUnixTimeMilliseconds()}"; // your id: store it first\n`
        : `var paymentId = "${paymentId.text}"; // the id that you gave the payment\n`;
  return `${heading(call, "//", { needs: "no package", save: ".NET 10: save as call.cs,\nthen: dotnet run call.cs. Before: dotnet new console, put\nit into Program.cs, then: dotnet run" })}
using System;
using System.IO;
using System.Net.Http;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json.Nodes;

var file = Environment.GetEnvironmentVariable("TILLGATE_SANDBOX") ?? ".tillgate/sandbox.json";
var sandbox = JsonNode.Parse(File.ReadAllText(file))!;
string Value(string name) => (string)sandbox[name]!;

var path = "${path}";
${id}var body = Encoding.UTF8.GetBytes(${literal(body, CSHARP)}.ToJsonString());

var timestamp = DateTimeOffset.UtcNow.ToUnixTimeSeconds().ToString();
var bodyHash = Convert.ToHexString(SHA256.HashData(body)).ToLowerInvariant();
var message = Encoding.UTF8.GetBytes($"POST\\n{path}\\n{timestamp}\\n{bodyHash}");
using var hmac = new HMACSHA512(Encoding.UTF8.GetBytes(Value("hmac_secret")));
var signature = Convert.ToBase64String(hmac.ComputeHash(message)).TrimEnd('=').Replace('+', '-').Replace('/', '_');

using var client = new HttpClient { Timeout = TimeSpan.FromSeconds(30) };
using var request = new HttpRequestMessage(HttpMethod.Post, Value("base_url") + path) { Content = new ByteArrayContent(body) };
request.Content.Headers.Add("content-type", "application/json");
request.Headers.Add("x-access-timestamp", timestamp);
request.Headers.Add("x-access-merchant-id", Value("merchant_id"));
request.Headers.Add("x-access-token", Value("hmac_key_id"));
request.Headers.Add("x-access-merchant-algorithm", "HMAC-SHA512-V2");
request.Headers.Add("x-access-signature", signature);
using var answer = await client.SendAsync(request);
Console.WriteLine(await answer.Content.ReadAsStringAsync());
Console.WriteLine((int)answer.StatusCode);
`;
}
