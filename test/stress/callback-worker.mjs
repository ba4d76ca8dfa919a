// Delivers callbacks in a process of its own, as the service's worker does, with all times divided so that days pass in
// minutes. It runs what was built, and ends when it is killed or its parent is gone.
import { openCallbackSigner } from "../../dist/app/callbacks/callback-signer.js";
import { watchDirectory } from "../../dist/app/merchants/watch-directory.js";
import { openKeyring } from "../../dist/app/processes/open-keyring.js";
import { BREAKER_OPEN_MS } from "../../dist/core/callbacks/breaker.js";
import { CALLBACK_DELAYS_S } from "../../dist/core/callbacks/schedule.js";
import { systemClock } from "../../dist/platform/clock.js";
import { openEgress } from "../../dist/platform/http-out/egress.js";
import { openLog } from "../../dist/platform/log.js";
import { Secret } from "../../dist/platform/secret.js";
import { masterKey } from "../../dist/platform/secrets.js";
import { openDatabase } from "../../dist/store/db.js";
import { startCallbackRunner } from "../../dist/worker/callbacks/callback-runner.js";

process.on("message", async ({ databaseUrl, masterKeyHex, divisor, leaseS }) => {
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
  startCallbackRunner(
    { ...shared, sign, egress: openEgress({ mode: "development" }) },
    {
      leaseS,
      schedule: { delaysS: CALLBACK_DELAYS_S.map((delayS) => delayS / divisor) },
      breakerOpenMs: BREAKER_OPEN_MS.map((openMs) => openMs / divisor),
    },
  );
  process.send("ready");
});
process.on("disconnect", () => process.exit(0));
