import { describe, expect, test } from "vitest";
import { findMerchantUrlFault, MERCHANT_URL_MAX } from "./merchant-url.ts";

const callbackFault = (text: string) => findMerchantUrlFault(text, "callback", "production")?.message;
const redirectFault = (text: string) => findMerchantUrlFault(text, "redirect", "production")?.message;
const developmentFault = (text: string) => findMerchantUrlFault(text, "callback", "development")?.message;

describe("in production", () => {
  test.each([
    "https://shop.example/callbacks",
    "https://shop.example",
    "https://shop.example:443/",
    "https://shop.example:8443/hook?order=1&mail=a@b",
    "HTTPS://SHOP.EXAMPLE/",
    "https://пример.example/путь",
    "https://xn--e1afmkfd.xn--p1ai/",
    "https://8.8.8.8/hook",
    "https://[2606:4700::1]/hook",
  ])("takes %s", (text) => expect(callbackFault(text)).toBeUndefined());

  test.each([
    "",
    "shop.example",
    "/callbacks",
    "http://shop.example/",
    "ftp://shop.example/",
    "javascript:alert(1)",
    "https:shop.example",
    "https:///shop.example",
    "https://",
    "https://shop .example/",
    "https://shop.example/\n",
    "https://evil.example\\@shop.example/",
    "https://shop.example:99999/",
    "https://xn--a/",
    "https://shop.xn--zzzzzz.example/",
  ])("refuses %j, which is no https URL", (text) => {
    expect(callbackFault(text)).toBe("must be a URL that begins with https://");
    expect(redirectFault(text)).toBe("must be a URL that begins with https://");
  });

  test("refuses a host that is longer than a name can be, also once it is written in ASCII", () => {
    const many = Array.from({ length: 1_000 }, (_, index) => String.fromCodePoint(0x4e00 + ((index * 7_919) % 20_000)));
    for (const host of [`${"a".repeat(250)}.com`, `${many.join("")}.com`]) {
      expect(callbackFault(`https://${host}/`)).toBe("must name a host of at most 253 characters");
      expect(developmentFault(`http://${host}/`)).toBe("must name a host of at most 253 characters");
    }
    expect(callbackFault(`https://${"a".repeat(249)}.com/`)).toBeUndefined();
  });

  test.each(["https://user@shop.example/", "https://user:word@shop.example/", "https://@shop.example/"])(
    "refuses the user of %s",
    (text) => expect(callbackFault(text)).toBe("must not hold a user name or a password"),
  );

  test.each(["https://shop.example/#done", "https://shop.example#"])("refuses the fragment of %s", (text) =>
    expect(redirectFault(text)).toBe("must not hold a fragment, which is # and what follows"),
  );

  test.each([
    "https://localhost/",
    "https://LOCALHOST./",
    "https://shop.localhost/",
    "https://127.0.0.1/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://0.0.0.0/",
    "https://[::1]/",
    "https://[::]/",
    "https://[::ffff:127.0.0.1]/",
  ])("refuses %s, which is this machine", (text) => {
    expect(callbackFault(text)).toBe("must not lead back to the service's own machine");
    expect(redirectFault(text)).toBe("must not lead back to the service's own machine");
  });

  test.each([
    "https://10.0.0.1/",
    "https://192.168.1.1/",
    "https://169.254.169.254/",
    "https://[fd00::1]/",
    "https://[fe80::1]/",
    "https://[::ffff:10.0.0.1]/",
    "https://[::ffff:8.8.8.8]/",
    "https://[64:ff9b::8.8.8.8]/",
    "https://[2002:808:808::1]/",
    "https://[4000::1]/",
    "https://192.88.99.1/",
  ])("sends no callback to %s, which is not public", (text) => {
    expect(callbackFault(text)).toBe("must not lead to an address that is not public");
    expect(redirectFault(text)).toBeUndefined();
  });

  test.each(["https://shop.example:80/", "https://shop.example:8080/", "https://shop.example:0/"])(
    "sends no callback to the port of %s, but a browser may go there",
    (text) => {
      expect(callbackFault(text)).toBe("must use port 443 or 8443");
      expect(redirectFault(text)).toBeUndefined();
    },
  );

  test("takes the longest URL and refuses one character more", () => {
    const start = "https://shop.example/";
    const longest = start + "a".repeat(MERCHANT_URL_MAX - start.length);
    expect(callbackFault(longest)).toBeUndefined();
    expect(findMerchantUrlFault(`${longest}a`, "callback", "production")).toEqual({
      code: "too_long",
      message: "must have at most 2048 characters",
    });
  });
});

describe("in development", () => {
  test.each(["http://127.0.0.1:3000/hook", "http://localhost:9/", "https://localhost:4433/", "http://10.0.0.1/"])(
    "takes %s",
    (text) => expect(developmentFault(text)).toBeUndefined(),
  );

  test.each([
    ["ws://localhost/", "must be a URL that begins with http:// or https://"],
    ["http://user@localhost/", "must not hold a user name or a password"],
    ["http://localhost/#x", "must not hold a fragment, which is # and what follows"],
  ])("still refuses %s", (text, message) => expect(developmentFault(text)).toBe(message));
});
