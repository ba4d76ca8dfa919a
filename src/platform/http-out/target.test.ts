import { describe, expect, test } from "vitest";
import { MERCHANT_URL_MAX } from "../../core/merchants/merchant-url.ts";
import { parseTarget } from "./target.ts";

const inProduction = (text: string) => parseTarget(text, "production");
const inDevelopment = (text: string) => parseTarget(text, "development");
const fault = (reason: string) => ({ ok: false, error: reason });

describe("in production", () => {
  test("a plain URL is taken apart", () => {
    expect(inProduction("https://shop.example/hook?order=1&x=%20")).toEqual({
      ok: true,
      value: {
        origin: "https://shop.example",
        secure: true,
        hostname: "shop.example",
        port: 443,
        path: "/hook?order=1&x=%20",
        serverName: "shop.example",
      },
    });
  });

  test.each([
    ["https://shop.example", { port: 443, path: "/", origin: "https://shop.example" }],
    ["https://shop.example:443/", { port: 443, origin: "https://shop.example" }],
    ["https://shop.example:8443/", { port: 8443, origin: "https://shop.example:8443" }],
    ["HTTPS://SHOP.Example/A", { hostname: "shop.example", path: "/A" }],
    ["https://shop.example./", { hostname: "shop.example.", serverName: "shop.example" }],
    ["https://пример.example/путь?ключ=ё", { hostname: "xn--e1afmkfd.example", serverName: "xn--e1afmkfd.example" }],
    ["https://ｓｈｏｐ。example/", { hostname: "shop.example" }],
    ["https://shop%2eexample/", { hostname: "shop.example" }],
    ["https://8.8.8.8/", { hostname: "8.8.8.8", serverName: undefined }],
    ["https://134744072/", { hostname: "8.8.8.8", serverName: undefined }],
    ["https://[2606:4700::1]/", { hostname: "2606:4700::1", serverName: undefined, origin: "https://[2606:4700::1]" }],
    ["https://shop.example/a/../b", { path: "/b" }],
    ["https://shop.example/?mail=a@b", { path: "/?mail=a@b" }],
  ])("%s leads where the parser says", (text, expected) => {
    expect(inProduction(text)).toMatchObject({ ok: true, value: expected });
  });

  test.each([
    ...["http://shop.example/", "ftp://shop.example/", "file:///etc/passwd", "gopher://shop.example/"],
    ...["javascript:alert(1)", "data:text/plain,hi", "ws://shop.example/", "unix:/var/run/docker.sock"],
  ])("%s has a scheme that is not allowed", (text) => expect(inProduction(text)).toEqual(fault("scheme")));

  test.each([
    ...[
      "https://user@shop.example/",
      "https://user:word@shop.example/",
      "https://@shop.example/",
      "https://:@shop.example/",
    ],
    ...["https://8.8.8.8@127.0.0.1/", "https://shop.example%00@127.0.0.1/"],
  ])("%s names a user", (text) => expect(inProduction(text)).toEqual(fault("userinfo")));

  test.each(["https://shop.example/#", "https://shop.example#x", "https://shop.example/?a#b"])(
    "%s has a fragment",
    (text) => expect(inProduction(text)).toEqual(fault("fragment")),
  );

  test.each([
    ...[
      "https://shop.example:80/",
      "https://shop.example:22/",
      "https://shop.example:8080/",
      "https://shop.example:0/",
    ],
    ...["https://shop.example:65535/", "https://127.0.0.1:6379/"],
  ])("%s has a port that is not allowed", (text) => expect(inProduction(text)).toEqual(fault("port")));

  test.each([
    ...["", "shop.example", "//shop.example/", "/hook", "https:", "https://", "https:///", "https:shop.example"],
    ...[
      "https://shop.example:99999/",
      "https://shop.example:x/",
      "https://shop.example\r\nhost: evil/",
      "https://a b/",
    ],
    ...[
      "https://shop.example/\r\nx-injected: 1",
      "https://shop.example/a b",
      "https://shop.example/\t",
      "\nhttps://a.b/",
    ],
    ...[
      "https://shop.example\\@127.0.0.1/",
      "https://shop.example\u0000/",
      "https://sh%00op.example/",
      "https://a%0d%0ab/",
    ],
    ...[
      "https://[::1/",
      "https://[fe80::1%25eth0]/",
      "https://[fe80::1%eth0]/",
      "https://1.2.3.256/",
      "https://0x1ffffffff/",
    ],
    ...[
      "https://shop..example/",
      "https://.shop.example/",
      "https://shop.example../",
      "https://./",
      "https://*.example/",
    ],
    ...["https://shop$.example/", `https://${"a".repeat(64)}.example/`, `https://${"a.".repeat(130)}example/`],
    ...["https://xn--a/", `https://shop.example/${"a".repeat(MERCHANT_URL_MAX)}`],
  ])("%j is no URL to send to", (text) => expect(inProduction(text)).toEqual(fault("bad_url")));

  test.each([
    ...["https://127.0.0.1/", "https://2130706433/", "https://0x7f000001/", "https://0x7f.1/", "https://0177.0.0.1/"],
    ...["https://017700000001/", "https://127.1/", "https://127.0.1/", "https://127.0.0.1./", "https://１２７.0.0.1/"],
    ...["https://0x7F.0x0.0x0.0x1/", "https://127%2e0%2e0%2e1/"],
  ])("%s is seen as 127.0.0.1", (text) => {
    expect(inProduction(text)).toMatchObject({ ok: true, value: { hostname: "127.0.0.1", serverName: undefined } });
  });

  test.each([
    ["https://[::ffff:127.0.0.1]/", "::ffff:7f00:1"],
    ["https://[0:0:0:0:0:0:0:1]/", "::1"],
    ["https://[::FFFF:7F00:1]/", "::ffff:7f00:1"],
    ["https://[::127.0.0.1]/", "::7f00:1"],
  ])("%s is seen as the address it is", (text, hostname) => {
    expect(inProduction(text)).toMatchObject({ ok: true, value: { hostname, serverName: undefined } });
  });
});

describe("in development", () => {
  test.each([
    ["http://localhost:3000/hook", { secure: false, port: 3000, hostname: "localhost" }],
    ["http://127.0.0.1/", { secure: false, port: 80 }],
    ["http://shop.example:22/", { port: 22 }],
    ["https://localhost/", { secure: true, port: 443, serverName: "localhost" }],
  ])("%s is taken", (text, expected) => expect(inDevelopment(text)).toMatchObject({ ok: true, value: expected }));

  test.each([
    ["ftp://localhost/", "scheme"],
    ["http://user@localhost/", "userinfo"],
    ["http://localhost/#", "fragment"],
    ["http://localhost:0/", "port"],
    ["http://local host/", "bad_url"],
  ])("%s is still refused", (text, reason) => expect(inDevelopment(text)).toEqual(fault(reason)));
});
