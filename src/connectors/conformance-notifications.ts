import fc from "fast-check";
import { expect, it } from "vitest";
import type { Connector, Notification, NotificationSubject } from "../core/connector.ts";

/** The part of the conformance suite that is about what providers tell us by themselves. */
export type NotifyingWorld = {
  readonly connector: () => Connector;
  /** A notification as it came from the provider, and something that it is about. */
  readonly takeNotification: () => Promise<{ notification: Notification; subject: NotificationSubject }>;
  /** A connector that knows another secret. */
  readonly stranger: () => Connector;
  /** The same connector an hour later. */
  readonly hourLater: () => Connector;
  /** `values`: the signature covers what the body says and not how it is written, so a space behind it is no change. */
  readonly signs?: "bytes" | "values";
};

const REFUSED = { ok: false, error: "not_authentic" };

export function describeSilence(connector: () => Connector): void {
  it("are refused whatever they say, since this provider sends none", () => {
    const notification = { headers: {}, rawBody: Buffer.from('{"reference":"1"}') };
    expect(connector().readNotification(notification)).toEqual(REFUSED);
  });
}

export function describeNotifications(world: NotifyingWorld): void {
  it("are understood when they are the provider's; refused with another secret, or after an hour", async () => {
    const { notification, subject } = await world.takeNotification();
    expect(world.connector().readNotification(notification)).toEqual({
      ok: true,
      // A provider may notify of several things at once.
      value: expect.arrayContaining([subject]),
    });
    expect(world.stranger().readNotification(notification)).toEqual(REFUSED);
    expect(world.hourLater().readNotification(notification)).toEqual(REFUSED);
  });

  it("are refused when a single bit of the body differs, or a byte is missing or added", async () => {
    const { notification } = await world.takeNotification();
    const { rawBody } = notification;
    const changed = Array.from({ length: rawBody.length * 8 }, (_, bit) => flipBit(rawBody, bit));
    changed.push(rawBody.subarray(1), rawBody.subarray(0, -1), Buffer.concat([rawBody, Buffer.from("0")]));
    if (world.signs !== "values") changed.push(Buffer.concat([rawBody, Buffer.from(" ")]));
    for (const body of changed)
      expect(world.connector().readNotification({ ...notification, rawBody: body })).toEqual(REFUSED);
  });

  it("are refused when a header of the signature is missing or changed", async () => {
    const { notification } = await world.takeNotification();
    const readWith = (name: string, value: string | undefined) =>
      world.connector().readNotification({ ...notification, headers: { ...notification.headers, [name]: value } });
    const matters = Object.entries(notification.headers).filter(([name]) => !readWith(name, undefined).ok);
    expect(matters).not.toEqual([]);
    for (const [name, value = ""] of matters) {
      const reversed = [...value].reverse().join("");
      for (const other of ["", "0", `${value}0`, reversed]) expect(readWith(name, other)).toEqual(REFUSED);
    }
  });

  it("are refused, and nothing is thrown, whatever the bytes and headers", async () => {
    const { notification } = await world.takeNotification();
    const { readNotification } = world.connector();
    const name = fc.constantFrom(...Object.keys(notification.headers), "x-other");
    const headers = fc.dictionary(name, fc.oneof(fc.string({ unit: "binary" }), fc.constant(undefined)));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), headers, (bytes, given) => {
        const rawBody = Buffer.from(bytes);
        expect(readNotification({ headers: given, rawBody })).toEqual(REFUSED);
        expect(readNotification({ headers: { ...notification.headers, ...given }, rawBody })).toEqual(REFUSED);
      }),
      { numRuns: 100 },
    );
  });
}

function flipBit(bytes: Buffer, bit: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return changed;
}
