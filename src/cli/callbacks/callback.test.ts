import { describe, expect, it } from "vitest";
import { newId } from "../../platform/new-id.ts";
import { aCallback, callbackRow, disableUrl, SHOP_URL } from "../../testing/builders/callbacks.ts";
import { aProject, testKeyring } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { openCommandLine, outcomesOf } from "../../testing/program/command-line.ts";

const { db } = useTestDatabase();
const keyring = testKeyring();
const NOBODY = "0".repeat(32);

const tillgate = openCommandLine(db, undefined, { openKeyring: async () => keyring });
const { print, json, refusal } = outcomesOf(tillgate);

type Listed = { readonly callbacks: readonly { readonly callback_id: string }[]; readonly next_after: string | null };

async function ids(...words: string[]): Promise<string[]> {
  const { callbacks } = (await json("callback", "list", ...words)) as Listed;
  return callbacks.map(({ callback_id }) => callback_id);
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

describe("callback list", () => {
  it("shows the newest first, and says what was given up", async () => {
    expect(await print("callback", "list")).toBe("There are none.");
    const { projectId } = await aProject(db);
    const dead = await aCallback(db, projectId, {
      state: "dead",
      attempts: [500, "timeout"],
      createdAt: minutesAgo(2),
    });
    const delivered = await aCallback(db, projectId, { state: "delivered", attempts: [204], tells: "success" });
    await aCallback(db, projectId, { url: "https://gone.example/", createdAt: minutesAgo(3) });
    await disableUrl(db, projectId, "https://gone.example/");
    const lines = (await print("callback", "list", "--project", projectId)).split("\n");
    expect(lines.slice(0, 3)).toEqual([
      "Given up: 1. See --state dead.",
      "Held, because their URL is disabled: 1. See --state held, and callback disabled.",
      "",
    ]);
    expect(lines[4]).toMatch(new RegExp(`^${delivered.id}  delivered  \\S+  -  +1  204 .*#2 success +${SHOP_URL}$`));
    expect(lines[5]).toMatch(new RegExp(`^${dead.id}  dead .* 2  timeout .*#2 processing / paid`));
    expect(lines[6]).toContain("held");
    expect(lines).toHaveLength(7);
    expect(await print("callback", "list", "--project", projectId, "--state", "dead")).not.toContain("Given up");
  });

  it("narrows down by state, URL, payment and time", async () => {
    const { projectId } = await aProject(db);
    const of = (...words: string[]) => ids("--project", projectId, ...words);
    const pending = await aCallback(db, projectId, { paymentId: "ord-771", dueInS: 5 });
    const old = await aCallback(db, projectId, { state: "dead", createdAt: new Date("2026-01-31T10:00:00Z") });
    const elsewhere = await aCallback(db, projectId, { state: "delivered", url: "https://shop.example/other" });
    const held = await aCallback(db, projectId, { url: "https://gone.example/x" });
    await disableUrl(db, projectId, "https://gone.example/x");
    expect(await of("--state", "pending")).toEqual([pending.id]);
    expect(await of("--state", "held")).toEqual([held.id]);
    expect(await of("--state", "dead")).toEqual([old.id]);
    expect(await of("--state", "delivered")).toEqual([elsewhere.id]);
    expect(await of("--url", "https://shop.example/other")).toEqual([elsewhere.id]);
    expect(await of("--payment-id", "ord-771")).toEqual([pending.id]);
    expect(await of("--request-id", held.requestId)).toEqual([held.id]);
    expect(await of("--until", "2026-02-01")).toEqual([old.id]);
    expect(await of("--since", "2026-01-31T10:00:00Z", "--until", "2026-01-31T10:00:00.001Z")).toEqual([old.id]);
    expect(await of("--since", "2026-01-31T10:00:00.001Z")).toHaveLength(3);
    expect(await of()).toHaveLength(4);
    expect(await of("--payment-id", "ord-772")).toEqual([]);
  });

  it("lists what waits in the order in which it is due, page by page", async () => {
    const { projectId } = await aProject(db);
    const due: string[] = [];
    for (const dueInS of [30, 10, 20, 0, -5]) due[dueInS + 5] = (await aCallback(db, projectId, { dueInS })).id;
    const expected = due.filter((id) => id !== undefined);
    const page = ["--project", projectId, "--state", "pending", "--limit", "2"];
    const seen: string[] = [];
    let after: string[] = [];
    for (let pages = 0; pages < 3; pages += 1) {
      const listed = (await json("callback", "list", ...page, ...after)) as Listed;
      seen.push(...listed.callbacks.map(({ callback_id }) => callback_id));
      after = listed.next_after === null ? [] : ["--after", listed.next_after];
    }
    expect(seen).toEqual(expected);
    expect(after).toEqual([]);
  });

  it("pages through the rest from the newest on, over all projects", async () => {
    const made: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      const { projectId } = await aProject(db);
      made.unshift(
        (await aCallback(db, projectId, { paymentId: "page-1", state: "dead", createdAt: minutesAgo(9 - index) })).id,
      );
    }
    const page = ["--payment-id", "page-1", "--limit", "2"];
    const first = await print("callback", "list", ...page);
    expect(first).toContain(`There are more: the same again with --after ${made[1]}`);
    expect(await ids(...page)).toEqual(made.slice(0, 2));
    expect(await ids(...page, "--after", made[1] ?? "")).toEqual(made.slice(2));
  });

  it("shows a merchant's own numbers in full, as payment list does", async () => {
    const { projectId } = await aProject(db);
    const [paymentId, url] = ["20260131000000017", "https://shop.example/cb/20260131000000018"];
    const { id } = await aCallback(db, projectId, { paymentId, url });
    expect(await print("payment", "list", "--project", projectId)).toContain(paymentId);
    for (const words of [
      ["list", "--project", projectId],
      ["show", id],
    ]) {
      const text = await print("callback", ...words);
      expect(text).toContain(paymentId);
      expect(text).toContain(url);
    }
  });

  it("refuses a project that is not there, rather than showing an empty list", async () => {
    expect(await refusal("callback", "list", "--project", NOBODY)).toBe(`There is no project ${NOBODY}.`);
  });
});

describe("callback show", () => {
  it("shows every attempt, with the beginning of the answer made safe, and the body without requisites", async () => {
    const { projectId } = await aProject(db);
    const answer = '\u001b[31m{"echo":{"pan":"2200123412343456"},\n"more":true}\u202e';
    const shown = await aCallback(db, projectId, { paymentId: "ord-9", attempts: ["connect_failed", 500], answer });
    const text = await print("callback", "show", shown.id);
    expect(text).toMatch(/^callback {4}[0-9a-f]{32}$/m);
    expect(text).toMatch(/^payment id {2}ord-9$/m);
    expect(text).toMatch(/^ {2}1 {2}\S+Z {2}connect_failed {2}12 ms {2}-$/m);
    expect(text).toMatch(
      /^ {2}2 {2}\S+Z {2}500 +12 ms {2}\\u001b\[31m\{"echo":\{"pan":"220012\*{6}3456"\}, "more":true\}\\u202e$/m,
    );
    expect(text).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
    expect(text).toContain('"sub_status": "paid"');
    expect(text).not.toContain('"requisites"');
    const parsed = await json("callback", "show", shown.id);
    expect(parsed).toMatchObject({
      callback_id: shown.id,
      state: "pending",
      body: { event: { id: shown.id, sequence: 2 } },
    });
    expect(parsed.attempts).toMatchObject([
      { number: 1, status: null, failure: "connect_failed", answer: null },
      { number: 2, status: 500, failure: null, answer: answer.replace("2200123412343456", "220012******3456") },
    ]);
  });

  it("says when it was not sent yet, and when there is none", async () => {
    const { projectId } = await aProject(db);
    expect(await print("callback", "show", (await aCallback(db, projectId)).id)).toContain("It was not sent yet.");
    expect(await refusal("callback", "show", NOBODY)).toBe(`There is no callback ${NOBODY}.`);
  });
});

describe("callback replay", () => {
  it("sends one again by its id, whatever became of it", async () => {
    const { projectId } = await aProject(db);
    for (const state of ["dead", "delivered", "pending"] as const) {
      const callback = await aCallback(db, projectId, { state, attempts: [500], dueInS: 3600 });
      expect(await print("callback", "replay", callback.id)).toBe("1 callback is sent again, now.");
      expect(await callbackRow(db, callback)).toMatchObject({ state: "pending", scheduleFrom: 1, replayedBy: "olga" });
      expect(await print("callback", "show", callback.id)).toMatch(/^replayed {4}\S+Z by olga$/m);
    }
    expect(await refusal("callback", "replay", NOBODY)).toBe(`There is no callback ${NOBODY}.`);
  });

  it("says why it leaves one that is being sent, or whose URL is disabled", async () => {
    const { projectId } = await aProject(db);
    const sending = await aCallback(db, projectId);
    await db.run({
      text: "update callbacks set lease_until = now() + interval '1 min' where id = $1",
      values: [sending.id],
    });
    expect(await refusal("callback", "replay", sending.id)).toBe(
      "Nothing that fits can be sent again now. Left, because it is being sent at this moment: 1.",
    );
    const gone = await aCallback(db, projectId, { state: "dead", url: "https://gone.example/y" });
    await disableUrl(db, projectId, "https://gone.example/y");
    expect(await refusal("callback", "replay", gone.id)).toBe(
      "Nothing that fits can be sent again now. Left, because its URL is disabled: 1; " +
        `see tillgate callback disabled --project ${projectId}.`,
    );
  });

  it("takes the dead ones of a project, spread over time, and asks before it takes many", async () => {
    const { projectId } = await aProject(db);
    for (let index = 0; index < 3; index += 1) await aCallback(db, projectId, { state: "dead" });
    const delivered = await aCallback(db, projectId, { state: "delivered" });
    expect(await print("callback", "replay", "--project", projectId, "--rate", "1")).toBe(
      "3 callbacks are sent again, from now on, the last in 2 s.",
    );
    expect((await callbackRow(db, delivered)).state).toBe("delivered");
    expect(await refusal("callback", "replay", "--project", projectId)).toBe(
      "Nothing that fits can be sent again now.",
    );
    const { id } = await aCallback(db, projectId, { state: "dead" });
    await db.run({
      text: `insert into callbacks (project_id, id, request_id, sequence, url, origin, body, state)
             select project_id, gen_random_uuid(), request_id, sequence + n, url, origin, body, 'dead'
               from callbacks, generate_series(1, 100) n where id = $1`,
      values: [id],
    });
    expect(await refusal("callback", "replay", "--project", projectId)).toBe(
      "101 callbacks fit. To send all of them again, add --yes. Nothing was changed.",
    );
    expect(await json("callback", "replay", "--project", projectId, "--yes")).toEqual({
      replayed: 101,
      last_due_in_s: 5,
      left_under_way: 0,
      left_disabled: 0,
    });
  });

  it("refuses a project that is not there", async () => {
    expect(await refusal("callback", "replay", "--project", NOBODY)).toBe(`There is no project ${NOBODY}.`);
  });
});

describe("callback disabled and enable", () => {
  it("lists URLs that are gone, and sends to them again", async () => {
    const { projectId } = await aProject(db);
    const url = "https://gone.example/z?a=1";
    const held = await aCallback(db, projectId, { url, dueInS: 3600 });
    await disableUrl(db, projectId, url);
    expect(await json("callback", "disabled", "--project", projectId)).toMatchObject([{ url, held: 1 }]);
    expect(await print("callback", "disabled")).toMatch(
      new RegExp(`^${projectId} {2}\\S+Z +1 {2}https://gone.example/z\\?a=1$`, "m"),
    );
    expect(await refusal("callback", "enable", "https://gone.example/z", "--project", projectId)).toContain(
      "is not disabled",
    );
    expect((await callbackRow(db, held)).dueInS).toBeGreaterThan(3000);
    expect(await print("callback", "enable", url, "--project", projectId)).toBe(
      "Enabled. Callbacks that waited for it, and are due now: 1.",
    );
    expect((await callbackRow(db, held)).dueInS).toBeLessThanOrEqual(0);
    expect(await print("callback", "disabled", "--project", projectId)).toBe("There are none.");
    expect(await refusal("callback", "enable", url, "--project", projectId)).toContain("is not disabled");
    const [row] = await db.run({
      text: "select enabled_by from disabled_callback_urls where project_id = $1",
      values: [projectId],
    });
    expect(row).toEqual({ enabled_by: "olga" });
  });

  it("leaves callbacks to a URL that is not disabled as they are", async () => {
    const { projectId } = await aProject(db);
    const waiting = await aCallback(db, projectId, { attempts: [500], dueInS: 600 });
    await refusal("callback", "enable", SHOP_URL, "--project", projectId);
    expect((await callbackRow(db, waiting)).dueInS).toBeGreaterThan(500);
    expect(await refusal("callback", "enable", SHOP_URL, "--project", NOBODY)).toBe(`There is no project ${NOBODY}.`);
  });
});

describe("callback keys", () => {
  type Key = { key_id: string; kind: string; secret?: string; public_key_pem?: string; retires_at: string | null };
  const keysOf = async (...words: string[]): Promise<Key[]> => (await json("callback", "key", ...words)).keys;

  it("shows a merchant's secrets, made now if need be, and says what they are", async () => {
    const { projectId } = await aProject(db);
    const text = await print("callback", "key", "show", "--project", projectId);
    expect(text).toMatch(/^whsec_[A-Za-z0-9+/=]{44}$/m);
    expect(text).toContain("-----BEGIN PUBLIC KEY-----");
    expect(text).toContain("Give them to the project's merchant only.");
    expect(text).not.toMatch(/^cs_/m);
    const again = await keysOf("show", "--project", projectId);
    expect(again.map(({ kind }) => kind)).toEqual(["rsa", "webhook"]);
    expect(text).toContain(again[1]?.secret ?? "none");
    await db.run({ text: "update projects set callback_signing = 'hmac' where id = $1", values: [projectId] });
    expect((await keysOf("show", "--project", projectId)).map(({ kind }) => kind)).toEqual(["rsa", "webhook", "hmac"]);
    expect(await print("callback", "key", "show", "--project", projectId)).toMatch(/^cs_[0-9a-f]{64}$/m);
  });

  it("shows no secret without a project", async () => {
    expect((await keysOf("show")).map(({ kind }) => kind)).toEqual(["rsa"]);
    expect(await print("callback", "key", "show")).not.toContain("whsec_");
    expect(await refusal("callback", "key", "show", "--project", NOBODY)).toBe(`There is no project ${NOBODY}.`);
  });

  it("replaces a secret with an overlap, and not twice within it", async () => {
    const { projectId } = await aProject(db);
    const rotate = ["rotate", "--project", projectId, "--kind", "webhook"];
    const [, before] = await keysOf("show", "--project", projectId);
    const after = await keysOf(...rotate, "--overlap", "14");
    expect(after.map(({ key_id }) => key_id)).toEqual([before?.key_id, expect.any(String)]);
    const leftMs = new Date(after[0]?.retires_at ?? 0).getTime() - Date.now();
    expect(Math.round(leftMs / 86_400_000)).toBe(14);
    expect(after[1]).toMatchObject({ kind: "webhook", retires_at: null });
    expect(after[1]?.secret).not.toBe(before?.secret);
    expect(await refusal("callback", "key", ...rotate)).toMatch(
      /^A key is being replaced already: .* Nothing was changed\.$/,
    );
    const emergency = await keysOf(...rotate, "--overlap", "0");
    expect(emergency).toHaveLength(1);
    expect(await keysOf("show", "--project", projectId)).toMatchObject([{ kind: "rsa" }, emergency[0]]);
  });

  it("replaces the service's own pair", async () => {
    const [before] = await keysOf("show");
    const text = await print("callback", "key", "rotate");
    expect(text).toContain("For 7 days it signs callbacks beside the old one, and then alone.");
    expect(text.match(/BEGIN PUBLIC KEY/g)).toHaveLength(2);
    const keys = await keysOf("show");
    expect(keys.map(({ key_id }) => key_id)).toEqual([before?.key_id, expect.any(String)]);
    expect(JSON.stringify(keys)).not.toContain("PRIVATE");
  });

  it("promotes the new one once, and says which header each makes", async () => {
    const { projectId } = await aProject(db);
    await db.run({ text: "update projects set callback_signing = 'hmac' where id = $1", values: [projectId] });
    const promote = ["callback", "key", "promote", "--project", projectId];
    const headers = async () =>
      (await json("callback", "key", "show", "--project", projectId)).keys
        .filter(({ kind }: Key) => kind === "hmac")
        .map(({ signs }: { signs: string }) => signs);
    expect(await headers()).toEqual(["x-access-signature"]);
    expect(await refusal(...promote)).toMatch(/^No key is being replaced, .* Nothing was changed\.$/);
    await print("callback", "key", "rotate", "--project", projectId, "--kind", "hmac", "--overlap", "1");
    expect(await headers()).toEqual(["x-access-signature", "x-access-signature-next"]);
    expect(await print("attention")).toContain(`callback key promote --project ${projectId}`);
    expect(await print(...promote)).toMatch(/^The new key makes x-access-signature from now on, and the old one /);
    expect(await headers()).toEqual(["x-access-signature-next", "x-access-signature"]);
    expect(await json(...promote)).toMatchObject({ changed: false, keys: [{ promoted_at: null }, {}] });
    expect(await print("attention")).not.toContain(projectId);
  });

  it("two rotations at once leave one present key", async () => {
    const { projectId } = await aProject(db);
    const rotate = ["callback", "key", "rotate", "--project", projectId, "--kind", "hmac", "--overlap", "0"];
    await Promise.all([print(...rotate), print(...rotate), print(...rotate)]);
    const rows = await db.run({
      text: "select count(*)::int as made, (count(*) filter (where retires_at is null))::int as present from callback_keys where project_id = $1",
      values: [projectId],
    });
    expect(rows).toEqual([{ made: 3, present: 1 }]);
  });

  it("refuses a project that is not there", async () => {
    const words = ["callback", "key", "rotate", "--project", newId(), "--kind", "hmac"];
    expect(await refusal(...words)).toMatch(/^There is no project /);
  });
});

describe("callback dismiss", () => {
  it("takes a dead letter out of what needs attention, keeps it, and refuses any other", async () => {
    const { projectId } = await aProject(db);
    const dead = await aCallback(db, projectId, { state: "dead", attempts: [500] });
    const pending = await aCallback(db, projectId, { dueInS: 3_600 });
    expect(await print("callback", "dismiss", dead.id)).toBe(`Callback ${dead.id} is dismissed.`);
    expect(await ids("--project", projectId, "--state", "dead")).toEqual([]);
    expect(await ids("--project", projectId, "--state", "dismissed")).toEqual([dead.id]);
    expect(await refusal("callback", "dismiss", dead.id)).toContain("This callback is dismissed. Nothing was changed.");
    expect(await refusal("callback", "dismiss", pending.id)).toContain("This callback is pending.");
    expect(await refusal("callback", "dismiss", NOBODY)).toContain("There is no callback");
    expect(await print("callback", "replay", dead.id)).toContain("1 callback is sent again");
    expect((await callbackRow(db, dead)).state).toBe("pending");
  });
});
