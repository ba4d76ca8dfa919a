// Delivers callbacks in a process of its own, as the service's worker does, with all times divided so that days pass in
// minutes. It runs what was built, and ends when it is killed or its parent is gone.
import { openParcel } from "../../dist/app/callbacks/callback-outbox.js";
import { openCallbackSigner } from "../../dist/app/callbacks/callback-signer.js";
import { watchDirectory } from "../../dist/app/merchants/watch-directory.js";
import { openKeyring } from "../../dist/app/processes/open-keyring.js";
import { BREAKER_OPEN_MS } from "../../dist/core/callbacks/breaker.js";
import { CALLBACK_DELAYS_S } from "../../dist/core/callbacks/schedule.js";
import { systemClock } from "../../dist/platform/clock.js";
import { openEgress } from "../../dist/platform/http-out/egress.js";
import { openLog } from "../../dist/platform/log.js";
import { newId } from "../../dist/platform/new-id.js";
import { Secret } from "../../dist/platform/secret.js";
import { masterKey } from "../../dist/platform/secrets.js";
import { openDatabase } from "../../dist/store/db.js";
import { startCallbackRunner } from "../../dist/worker/callbacks/callback-runner.js";

process.on("message", async ({ databaseUrl, masterKeyHex, divisor, leaseS, writes }) => {
  const log = openLog({ level: "error", destination: { write: (line) => process.stderr.write(line) } });
  const db = openDatabase({
    connection: { url: new Secret(databaseUrl) },
    connectionsMax: 5,
    applicationName: "tillgate stress",
    onIdleError: () => {},
  });
  const masters = { current: masterKey(Buffer.from(masterKeyHex, "hex")), previous: undefined };
  const keyring = await openKeyring(db, masters);
  if (!keyring.ok) throw new Error(keyring.error);
  const directory = await watchDirectory({ db, keyring: keyring.value, log });
  const shared = { db, log, keyring: keyring.value, clock: systemClock, currentDirectory: directory.current };
  const sign = openCallbackSigner({ ...shared, nowMs: systemClock.nowMs });
  const { outbox } = startCallbackRunner(
    { ...shared, sign, egress: openEgress({ mode: "development" }) },
    {
      leaseS,
      schedule: { delaysS: CALLBACK_DELAYS_S.map((delayS) => delayS / divisor) },
      breakerOpenMs: BREAKER_OPEN_MS.map((openMs) => openMs / divisor),
    },
  );
  process.send("ready");
  if (writes !== undefined) await writeCallbacks(db, outbox, writes);
});
process.on("disconnect", () => process.exit(0));

/** So many payments change in one commit. */
const LOT = 50;

/** Goes on where the worker before it was killed: each payment's callbacks in order, and each sent from memory after its commit. */
async function writeCallbacks(db, outbox, { projectId, url, lastSequence, aheadS }) {
  // Two plain reads: tables this young have no statistics to plan a join by.
  const written = await db.run({
    text: `select request_id as "requestId", max(sequence) as sequence from callbacks where project_id = $1 group by request_id`,
    values: [projectId],
    timeoutMs: 0,
  });
  const sequences = new Map(written.map(({ requestId, sequence }) => [requestId, sequence]));
  const payments = await db.run({
    text: `select request_id as "requestId", payment_id as "paymentId" from payments where project_id = $1`,
    values: [projectId],
    timeoutMs: 0,
  });
  const left = payments
    .map((payment) => ({ ...payment, sequence: sequences.get(payment.requestId) ?? 1 }))
    .filter(({ sequence }) => sequence < lastSequence);
  while (left.length > 0) {
    const lot = left.splice(0, LOT);
    const parcel = openParcel(outbox);
    const callbacks = lot.map((payment) => {
      payment.sequence += 1;
      const { requestId, paymentId, sequence } = payment;
      const id = newId();
      const general = { request_id: requestId, payment_id: paymentId };
      const body = { general, status: { status: "processing", sub_status: "requisites" }, event: { id, sequence } };
      const waitsMaxS = sequence < lastSequence ? null : Number(paymentId.at(-1)) % 2 === 0 ? aheadS : 900;
      return { projectId, id, requestId, sequence, url, origin: new URL(url).origin, waitsMaxS, body };
    });
    await db.transaction((tx) => parcel.write(tx, callbacks));
    parcel.send();
    parcel.close();
    left.push(...lot.filter(({ sequence }) => sequence < lastSequence));
  }
}
