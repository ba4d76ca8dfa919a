import { connect, type Socket } from "node:net";
import type { Dial } from "../../platform/http-out/dial.ts";

/** Writes down which addresses were asked for, and connects to a server on this machine instead. */
export type RecordingDial = { readonly dial: Dial; readonly asked: string[] };

export function recordDials(connectTo: number | ((address: string) => Socket)): RecordingDial {
  const asked: string[] = [];
  return {
    asked,
    dial: ({ address, port }) => {
      asked.push(`${address} ${port}`);
      return typeof connectTo === "number" ? connect(connectTo, "127.0.0.1") : connectTo(address);
    },
  };
}

/** A dial for tests in which nothing may be dialled. */
export function refuseDials(): RecordingDial {
  return recordDials((address) => {
    throw new Error(`${address} was dialled.`);
  });
}
