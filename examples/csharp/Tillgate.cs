// Tillgate from C#, with nothing but .NET itself. Copy this file and change it. With .NET 10:
//
//   dotnet run Tillgate.cs -- call PATH [BODY]    makes one signed call; BODY is sent exactly as it is given
//   dotnet run Tillgate.cs -- payin               makes a whole pay-in in the sandbox
//   dotnet run Tillgate.cs -- verify KEY [FILE]   verifies a callback: its headers, an empty line, its body (FILE or stdin).
//                                                 KEY is webhook (Standard Webhooks), or rsa or hmac (the x-access-… headers)
//   dotnet run Tillgate.cs -- vectors FILE        checks this program against docs/signing-vectors.json
//
// Older versions, from .NET Core 3.1 on, need a project beside it, Tillgate.csproj, and `dotnet run -- payin`:
//
//   <Project Sdk="Microsoft.NET.Sdk">
//     <PropertyGroup><OutputType>Exe</OutputType><TargetFramework>net8.0</TargetFramework></PropertyGroup>
//   </Project>
//
// Credentials come from .tillgate/sandbox.json, or from the file that TILLGATE_SANDBOX names. TILLGATE_ALGORITHM is
// RSA-SHA256 or HMAC-SHA512 (scheme 1), RSA-SHA256-V2 or HMAC-SHA512-V2 (scheme 2; the default is HMAC-SHA512-V2).

#nullable disable
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using System.Threading.Tasks;

/// <summary>A signature, a callback or an answer that must not be believed.</summary>
sealed class Refused : Exception
{
    public Refused(string message) : base(message) { }
}

static class Tillgate
{
    const int Attempts = 3;
    const int ToleranceS = 300;
    const int WaitS = 60;
    static readonly TimeSpan Timeout = TimeSpan.FromSeconds(10);
    static readonly Encoding Utf8 = new UTF8Encoding(false, true);

    // --- What is signed

    static JsonElement Parse(byte[] rawBody)
    {
        try
        {
            Utf8.GetString(rawBody); // throws where the bytes are not UTF-8
            using var document = JsonDocument.Parse(rawBody, new JsonDocumentOptions { MaxDepth = 32 });
            return document.RootElement.Clone();
        }
        catch (Exception fault) when (fault is JsonException || fault is ArgumentException)
        {
            throw new Refused("the body is not JSON in UTF-8");
        }
    }

    /// <summary>Scheme 1: each leaf as path:to:it:value, sorted by UTF-16 code unit, joined by semicolons.</summary>
    static string Normalise(JsonElement value)
    {
        var lines = new List<string>();
        try
        {
            Collect(value, "", lines);
        }
        catch (InvalidOperationException)
        {
            throw new Refused("the body holds half of a surrogate pair");
        }
        lines.Sort(string.CompareOrdinal); // by UTF-16 code unit; a culture's order would differ between machines
        return string.Join(";", lines);
    }

    static void Collect(JsonElement value, string path, List<string> lines)
    {
        switch (value.ValueKind)
        {
            case JsonValueKind.Object:
                foreach (var member in value.EnumerateObject()) Collect(member.Value, path + member.Name + ":", lines);
                break;
            case JsonValueKind.Array:
                var index = 0;
                foreach (var member in value.EnumerateArray()) Collect(member, path + index++ + ":", lines);
                break;
            case JsonValueKind.True: lines.Add(path + "1"); break;
            case JsonValueKind.False: lines.Add(path + "0"); break;
            case JsonValueKind.Null: lines.Add(path + "None"); break;
            case JsonValueKind.String: lines.Add(path + value.GetString()); break;
            default:
                var digits = value.GetRawText();
                if (!Regex.IsMatch(digits, @"\A(0|-?[1-9][0-9]*)\z")) throw new Refused(digits + " is not a whole number");
                lines.Add(path + digits);
                break;
        }
    }

    static string MessageOf(int scheme, string method, string path, string timestamp, byte[] rawBody) =>
        scheme == 1
            ? Base64Url(Utf8.GetBytes(Normalise(Parse(rawBody)))) + timestamp
            : string.Join("\n", method, path, timestamp, Hex(Sha256(rawBody)));

    static int SchemeOf(string algorithm) => algorithm.EndsWith("-V2", StringComparison.Ordinal) ? 2 : 1;

    static bool IsRsa(string algorithm) => algorithm.StartsWith("RSA", StringComparison.Ordinal);

    // --- Keys and encodings

    static byte[] Sha256(byte[] data)
    {
        using var sha256 = SHA256.Create();
        return sha256.ComputeHash(data);
    }

    static byte[] HmacSha512(string secret, string message)
    {
        using var hmac = new HMACSHA512(Utf8.GetBytes(secret));
        return hmac.ComputeHash(Utf8.GetBytes(message));
    }

    /// <summary>Scheme 1 signs the digest of the message, so SHA-256 runs twice.</summary>
    static byte[] RsaInput(int scheme, string message) =>
        scheme == 1 ? Sha256(Utf8.GetBytes(message)) : Utf8.GetBytes(message);

    static byte[] RsaSign(byte[] data, string pem)
    {
        using var rsa = RSA.Create();
        rsa.ImportPkcs8PrivateKey(PemBytes(pem), out _);
        return rsa.SignData(data, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
    }

    static bool RsaVerifies(byte[] data, string pem, byte[] signature)
    {
        using var rsa = RSA.Create();
        rsa.ImportSubjectPublicKeyInfo(PemBytes(pem), out _);
        return rsa.VerifyData(data, signature, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
    }

    static byte[] PemBytes(string pem) => Convert.FromBase64String(Regex.Replace(pem, "-----[A-Z ]+-----", ""));

    static string Hex(byte[] data) => string.Concat(data.Select(octet => octet.ToString("x2")));

    static string Base64Url(byte[] data) => Convert.ToBase64String(data).TrimEnd('=').Replace('+', '-').Replace('/', '_');

    /// <summary>One text for each value: padding, the other alphabet and spare bits in the last character are refused.</summary>
    static byte[] DecodeBase64Url(string text)
    {
        try
        {
            var data = Convert.FromBase64String(text.Replace('-', '+').Replace('_', '/') + new string('=', (4 - text.Length % 4) % 4));
            if (data.Length > 0 && Base64Url(data) == text) return data;
        }
        catch (FormatException)
        {
            // Refused below, like every other text that is not the one form.
        }
        throw new Refused("the signature is not base64url without padding");
    }

    // --- Calls

    static JsonElement Credentials()
    {
        var file = Environment.GetEnvironmentVariable("TILLGATE_SANDBOX") ?? ".tillgate/sandbox.json";
        if (!File.Exists(file)) throw new Refused("there is no " + file + ": start the service first (npm start)");
        return Parse(File.ReadAllBytes(file));
    }

    static string Text(JsonElement value, string name) =>
        value.ValueKind == JsonValueKind.Object && value.TryGetProperty(name, out var member) && member.ValueKind == JsonValueKind.String
            ? member.GetString()
            : throw new Refused(name + " is missing");

    static Dictionary<string, string> SignedHeaders(JsonElement keys, string path, byte[] rawBody, string algorithm, long nowS)
    {
        var scheme = SchemeOf(algorithm);
        var message = MessageOf(scheme, "POST", path, nowS.ToString(), rawBody);
        var signature = IsRsa(algorithm)
            ? RsaSign(RsaInput(scheme, message), Text(keys, "rsa_private_key_pem"))
            : HmacSha512(Text(keys, "hmac_secret"), message);
        return new Dictionary<string, string>
        {
            ["x-access-timestamp"] = nowS.ToString(),
            ["x-access-merchant-id"] = Text(keys, "merchant_id"),
            ["x-access-token"] = Text(keys, IsRsa(algorithm) ? "rsa_access_token" : "hmac_key_id"),
            ["x-access-merchant-algorithm"] = algorithm,
            ["x-access-signature"] = Base64Url(signature),
        };
    }

    /// <summary>A signed call goes where it was signed for, or nowhere: redirects are not followed.</summary>
    static readonly HttpClient Client = new HttpClient(new HttpClientHandler { AllowAutoRedirect = false }) { Timeout = Timeout };

    /// <summary>
    /// One signed call. After silence, 429 or 5xx the same bytes are sent again, signed again: the service knows the
    /// payment by its payment_id, so repeating never pays twice. A new id would.
    /// </summary>
    static async Task<(int Status, byte[] Body)> Send(string path, byte[] rawBody)
    {
        var keys = Credentials();
        var algorithm = Environment.GetEnvironmentVariable("TILLGATE_ALGORITHM") ?? "HMAC-SHA512-V2";
        for (var attempt = 1; ; attempt++)
        {
            var wait = TimeSpan.FromSeconds(1 << (attempt - 1));
            try
            {
                using var request = new HttpRequestMessage(HttpMethod.Post, Text(keys, "base_url") + path);
                request.Content = new ByteArrayContent(rawBody);
                request.Content.Headers.Add("content-type", "application/json");
                var headers = SignedHeaders(keys, path, rawBody, algorithm, DateTimeOffset.UtcNow.ToUnixTimeSeconds());
                foreach (var header in headers) request.Headers.Add(header.Key, header.Value);
                using var answer = await Client.SendAsync(request);
                var status = (int)answer.StatusCode;
                var isFinal = status != 429 && status < 500;
                if (isFinal || attempt == Attempts) return (status, await answer.Content.ReadAsByteArrayAsync());
                wait = answer.Headers.RetryAfter?.Delta ?? wait;
            }
            catch (Exception silence) when (silence is HttpRequestException || silence is TaskCanceledException)
            {
                if (attempt == Attempts) throw new Refused("no answer came: the outcome is unknown, repeat the same body with the same id");
            }
            await Task.Delay(wait);
        }
    }

    static async Task<JsonElement> Call(string path, string body)
    {
        var (status, answer) = await Send(path, Utf8.GetBytes(body));
        var payment = Parse(answer);
        if (status == 200) return payment;
        throw new Refused(path + ": " + status + " " + Text(payment, "code") + ": " + Text(payment, "status_description"));
    }

    // --- Callbacks

    /// <summary>By the Standard Webhooks signature, which covers the bytes of the body: prefer it.</summary>
    static JsonElement VerifyWebhook(Dictionary<string, string> headers, byte[] rawBody, string secret, long nowS)
    {
        var timestamp = Header(headers, "webhook-timestamp");
        RequireFresh(timestamp, nowS);
        using var hmac = new HMACSHA256(Convert.FromBase64String(secret.Substring("whsec_".Length)));
        var signed = Utf8.GetBytes(Header(headers, "webhook-id") + "." + timestamp + ".").Concat(rawBody).ToArray();
        var expected = Utf8.GetBytes("v1," + Convert.ToBase64String(hmac.ComputeHash(signed)));
        var fits = false;
        // There are two entries while the secret is being replaced.
        foreach (var entry in Header(headers, "webhook-signature").Split(' '))
        {
            fits |= CryptographicOperations.FixedTimeEquals(expected, Utf8.GetBytes(entry));
        }
        if (!fits) throw new Refused("no signature fits");
        return Parse(rawBody);
    }

    /// <summary>By the x-access-… headers (scheme 1). The key is the one you were given; x-access-token is not looked at.</summary>
    static JsonElement VerifyCallback(Dictionary<string, string> headers, byte[] rawBody, bool isRsa, JsonElement keys, long nowS)
    {
        var timestamp = Header(headers, "x-access-timestamp");
        RequireFresh(timestamp, nowS);
        var algorithm = isRsa ? "RSA-SHA256" : "HMAC-SHA512";
        if ((headers.TryGetValue("x-access-merchant-algorithm", out var named) ? named : "RSA-SHA256") != algorithm)
        {
            throw new Refused("the callback is not signed with " + algorithm);
        }
        var message = MessageOf(1, "POST", "", timestamp, rawBody);
        var given = new List<string> { Header(headers, "x-access-signature") };
        if (headers.TryGetValue("x-access-signature-next", out var next)) given.Add(next);
        var fits = false;
        foreach (var signature in given.Select(DecodeBase64Url))
        {
            fits |= isRsa
                ? RsaVerifies(RsaInput(1, message), Text(keys, "callback_public_key_pem"), signature)
                : CryptographicOperations.FixedTimeEquals(HmacSha512(Text(keys, "callback_hmac_secret"), message), signature);
        }
        if (!fits) throw new Refused("no signature fits");
        var body = Parse(rawBody);
        RequireOneReading(body);
        // The service signs for all its merchants with one RSA key: without this, another merchant's callback would pass.
        if (Text(body, "project_id") != Text(keys, "project_id")) throw new Refused("the callback is of another project");
        return body;
    }

    static string Header(Dictionary<string, string> headers, string name) =>
        headers.TryGetValue(name, out var value) ? value : throw new Refused("the header " + name + " is missing");

    static void RequireFresh(string timestamp, long nowS)
    {
        if (!Regex.IsMatch(timestamp, @"\A[0-9]{10}\z")) throw new Refused("the timestamp is not Unix time in seconds");
        if (Math.Abs(nowS - long.Parse(timestamp)) > ToleranceS) throw new Refused("the timestamp is more than " + ToleranceS + " s away");
    }

    /// <summary>Scheme 1 signs text, so one signature fits several bodies. What only a forger would send is refused.</summary>
    static void RequireOneReading(JsonElement body)
    {
        if (body.ValueKind != JsonValueKind.Object || !body.TryGetProperty("status", out var status)) throw new Refused("the body is not a callback");
        if (status.ValueKind != JsonValueKind.Object) throw new Refused("the status is not an object");
        foreach (var member in status.EnumerateObject())
        {
            if (member.Value.ValueKind == JsonValueKind.String && member.Value.GetString() == "None") throw new Refused("a null is written as text");
        }
        var names = new HashSet<string> { "project_id", "general", "status", "payment_info", "requisites", "integration", "event" };
        names.UnionWith(body.EnumerateObject().Select(member => member.Name));
        RefuseForgeries(body, names);
    }

    static void RefuseForgeries(JsonElement value, HashSet<string> names)
    {
        if (value.ValueKind == JsonValueKind.String && names.Any(name => value.GetString().Contains(";" + name + ":")))
        {
            throw new Refused("a string reads like further members");
        }
        if (value.ValueKind == JsonValueKind.Array) foreach (var member in value.EnumerateArray()) RefuseForgeries(member, names);
        if (value.ValueKind != JsonValueKind.Object) return;
        foreach (var member in value.EnumerateObject())
        {
            if (!Regex.IsMatch(member.Name, @"\A[A-Za-z][A-Za-z0-9_-]*\z")) throw new Refused("a name is not a plain word");
            RefuseForgeries(member.Value, names);
        }
    }

    /// <summary>Headers, an empty line, and the body byte for byte.</summary>
    static (Dictionary<string, string> Headers, byte[] RawBody) ReadMessage(byte[] message)
    {
        var latin1 = Encoding.GetEncoding("iso-8859-1"); // a character is a byte
        var text = latin1.GetString(message);
        var gap = Regex.Match(text, "\r?\n\r?\n");
        if (!gap.Success) throw new Refused("there is no empty line between the headers and the body");
        var headers = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        foreach (var line in Regex.Split(text.Substring(0, gap.Index), "\r?\n"))
        {
            var colon = line.IndexOf(':');
            if (colon < 0) throw new Refused("a header has no colon");
            if (!headers.TryAdd(line.Substring(0, colon), line.Substring(colon + 1).Trim())) throw new Refused("a header is there twice");
        }
        return (headers, latin1.GetBytes(text.Substring(gap.Index + gap.Length)));
    }

    // --- Commands

    static async Task<int> CommandCall(string path, string body)
    {
        var (status, answer) = await Send(path, Utf8.GetBytes(body));
        Console.WriteLine(Utf8.GetString(answer));
        return status == 200 ? 0 : 1;
    }

    static string OwnProject() => "{\"general\":{\"project_id\":\"" + Text(Credentials(), "project_id") + "\"}}";

    static async Task<int> CommandPayin()
    {
        var paymentId = "csharp-" + DateTimeOffset.UtcNow.ToUnixTimeMilliseconds(); // your own id: keep it before you send it
        var general = "\"general\":{\"project_id\":\"" + Text(Credentials(), "project_id") + "\",\"payment_id\":\"" + paymentId + "\"}";
        var terms = "\"payment\":{\"method\":\"card-p2p\",\"amount\":250000,\"currency\":\"RUB\"}"; // 2,500.00 roubles
        var customer = "\"customer\":{\"id\":\"customer-1\",\"ip_address\":\"192.0.2.1\"}";
        await Call("/api/v1/payment/p2p/payin", "{" + general + "," + terms + "," + customer + "}");
        var payment = "{" + general + "}";
        var requisites = (await Until(payment, found => found.TryGetProperty("requisites", out _))).GetProperty("requisites");
        Console.WriteLine("The payer sends " + requisites.GetProperty("amount").GetInt64() + " to " + Text(requisites, "pan"));
        await Call("/api/v1/payment/p2p/payin/confirm", payment); // the payer says that it is done
        var paid = await Until(payment, found => Text(found, "status") == "success" || Text(found, "status") == "decline");
        var net = paid.GetProperty("payment").GetProperty("net").GetInt64();
        Console.WriteLine("Pay-in " + paymentId + ": " + Text(paid, "status") + ", and " + net + " of it is ours");
        return Text(paid, "status") == "success" ? 0 : 1;
    }

    /// <summary>A shop waits for the callback instead.</summary>
    static async Task<JsonElement> Until(string payment, Func<JsonElement, bool> isEnough)
    {
        for (var clock = Stopwatch.StartNew(); clock.Elapsed.TotalSeconds < WaitS; await Task.Delay(500))
        {
            var found = await Call("/api/v1/payment/p2p/payin/info", payment);
            if (isEnough(found)) return found;
        }
        throw new Refused("nothing happened for " + WaitS + " s");
    }

    static int CommandVerify(string kind, string file)
    {
        using var stream = file == null ? Console.OpenStandardInput() : File.OpenRead(file);
        using var memory = new MemoryStream();
        stream.CopyTo(memory);
        var (headers, rawBody) = ReadMessage(memory.ToArray());
        var keys = Credentials();
        var nowS = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
        var callback = kind switch
        {
            "webhook" => VerifyWebhook(headers, rawBody, Text(keys, "webhook_secret"), nowS),
            "rsa" => VerifyCallback(headers, rawBody, true, keys, nowS),
            "hmac" => VerifyCallback(headers, rawBody, false, keys, nowS),
            _ => throw new Refused("KEY is webhook, rsa or hmac"),
        };
        var paymentId = Text(callback.GetProperty("general"), "payment_id");
        Console.WriteLine("Verified: " + paymentId + " " + Text(callback.GetProperty("status"), "status"));
        return 0;
    }

    static int CommandVectors(string name)
    {
        var file = Parse(File.ReadAllBytes(name));
        int count = 0, accepted = 0, wrong = 0;
        foreach (var vector in file.GetProperty("vectors").EnumerateArray())
        {
            var scheme = vector.GetProperty("scheme").GetInt32();
            var timestamp = vector.GetProperty("timestamp").GetRawText();
            var rawBody = Utf8.GetBytes(Text(vector, "body"));
            var made = MessageOf(scheme, Text(vector, "method"), Text(vector, "path"), timestamp, rawBody);
            var isReproduced = made == Text(vector, "message");
            var isAccepted = isReproduced && IsAccepted(vector, scheme, file);
            count++;
            if (isAccepted) accepted++;
            if (isReproduced && isAccepted == vector.GetProperty("valid").GetBoolean()) continue;
            wrong++;
            Console.Error.WriteLine("WRONG " + Text(vector, "algorithm") + ": " + Text(vector, "name"));
        }
        Console.WriteLine(count + " vectors: " + accepted + " accepted, " + (count - accepted) + " refused, " + wrong + " wrong");
        return wrong == 0 ? 0 : 1;
    }

    static bool IsAccepted(JsonElement vector, int scheme, JsonElement file)
    {
        var message = Text(vector, "message");
        try
        {
            var signature = DecodeBase64Url(Text(vector, "signature"));
            return IsRsa(Text(vector, "algorithm"))
                ? RsaVerifies(RsaInput(scheme, message), Text(file.GetProperty("rsa"), "public_key_pem"), signature)
                : CryptographicOperations.FixedTimeEquals(HmacSha512(Text(file.GetProperty("hmac"), "secret"), message), signature);
        }
        catch (Refused)
        {
            return false;
        }
    }

    static async Task<int> Main(string[] arguments)
    {
        string At(int place) => place < arguments.Length ? arguments[place] : null;
        try
        {
            return (At(0), At(1)) switch
            {
                ("call", string path) => await CommandCall(path, At(2) ?? OwnProject()),
                ("payin", _) => await CommandPayin(),
                ("verify", string kind) => CommandVerify(kind, At(2)),
                ("vectors", string file) => CommandVectors(file),
                _ => throw new Refused("usage: see the first lines of Tillgate.cs"),
            };
        }
        catch (Refused refusal)
        {
            Console.Error.WriteLine("Refused: " + refusal.Message);
            return 1;
        }
    }
}
