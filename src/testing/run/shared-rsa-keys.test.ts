import { generateKeyPair, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const make = promisify(generateKeyPair);
const textOf = (key: KeyObject) => key.export({ type: "spki", format: "pem" }).toString();

it("a file gets no pair twice, whichever way and however many at once it asks, and each pair fits", async () => {
  const atOnce = await Promise.all(Array.from({ length: 3 }, () => make("rsa", { modulusLength: 2048 })));
  const pairs = [...atOnce, generateKeyPairSync("rsa", { modulusLength: 2048 })];
  expect(new Set(pairs.map(({ publicKey }) => textOf(publicKey))).size).toBe(pairs.length);
  for (const { publicKey, privateKey } of pairs) {
    const signature = sign("sha256", Buffer.from("body"), privateKey);
    expect(verify("sha256", Buffer.from("body"), publicKey, signature)).toBe(true);
  }
});

it("a key of another kind or in another form is made as it is asked for", async () => {
  const { publicKey: curve } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  expect(curve.asymmetricKeyType).toBe("ec");
  const small = await make("rsa", { modulusLength: 1024 });
  expect(small.publicKey.asymmetricKeyDetails?.modulusLength).toBe(1024);
  const { publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 1024,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  expect(publicKey).toContain("BEGIN PUBLIC KEY");
});
