import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIPv4 } from "node:net";

/** A certificate and its key as PEM, made on the spot: nothing that could expire lies in the repository. */
export type TestCertificate = { readonly cert: string; readonly key: string };

export type TestAuthority = TestCertificate & {
  /** For host names and IPv4 addresses. */
  readonly issue: (...hosts: readonly string[]) => TestCertificate;
};

const DAY_MS = 24 * 60 * 60 * 1000;
const ECDSA_WITH_SHA256 = "1.2.840.10045.4.3.2";
const COMMON_NAME = "2.5.4.3";
const BASIC_CONSTRAINTS = "2.5.29.19";
const SUBJECT_ALTERNATIVE_NAME = "2.5.29.17";

export function makeAuthority(name = "Test authority"): TestAuthority {
  const keys = newKeys();
  const isAuthority = extension(BASIC_CONSTRAINTS, sequence(der(0x01, Buffer.from([0xff]))));
  return {
    ...encode(
      certificate({ issuer: name, subject: name, keys, signer: keys.privateKey, extension: isAuthority }),
      keys,
    ),
    issue: (...hosts) => {
      const own = newKeys();
      const names = extension(SUBJECT_ALTERNATIVE_NAME, sequence(...hosts.map(generalName)));
      const subject = hosts[0] ?? "nobody";
      return encode(certificate({ issuer: name, subject, keys: own, signer: keys.privateKey, extension: names }), own);
    },
  };
}

type Keys = { readonly publicKey: KeyObject; readonly privateKey: KeyObject };

function newKeys(): Keys {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

function certificate(wanted: {
  readonly issuer: string;
  readonly subject: string;
  readonly keys: Keys;
  readonly signer: KeyObject;
  readonly extension: Buffer;
}): Buffer {
  const algorithm = sequence(objectId(ECDSA_WITH_SHA256));
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    distinguishedName(wanted.issuer),
    sequence(time(Date.now() - DAY_MS), time(Date.now() + DAY_MS)),
    distinguishedName(wanted.subject),
    wanted.keys.publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(wanted.extension)),
  );
  const signature = sign("sha256", toBeSigned, wanted.signer);
  return sequence(toBeSigned, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
}

function encode(bytes: Buffer, keys: Keys): TestCertificate {
  // An empty line at the end would make OpenSSL take all that precedes it for headers.
  const base64 = bytes.toString("base64").replace(/.{64}(?=.)/g, "$&\n");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
    key: keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(objectId(id), der(0x04, value));
}

function generalName(host: string): Buffer {
  return isIPv4(host) ? der(0x87, Buffer.from(host.split(".").map(Number))) : der(0x82, Buffer.from(host));
}

function distinguishedName(name: string): Buffer {
  return sequence(der(0x31, sequence(objectId(COMMON_NAME), der(0x0c, Buffer.from(name)))));
}

/** GeneralizedTime: 20260102030405Z. */
function time(atMs: number): Buffer {
  return der(0x18, Buffer.from(`${new Date(atMs).toISOString().replace(/\D/g, "").slice(0, 14)}Z`));
}

function objectId(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split(".").map(Number);
  const bytes = rest.flatMap((part) => {
    const digits = [part & 0x7f];
    for (let left = part >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
    return digits;
  });
  return der(0x06, Buffer.from([first * 40 + second, ...bytes]));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const bytes = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...bytes]), content]);
}
