import { expect, it } from "vitest";
import { loadConfig } from "./config.ts";

const KEY = "ab".repeat(32);

it("needs nothing in development, and listens to this machine only", () => {
  const config = loadConfig({}, "/srv");
  expect(config).toMatchObject({
    ok: true,
    value: { mode: "development", host: "127.0.0.1", port: 8080, stateDir: "/srv/.tillgate" },
  });
});

it.each([
  [undefined, true],
  ["auto", true],
  ["off", false],
])("TILLGATE_MIGRATE=%s: a process that starts migrates: %s", (text, migrates) => {
  expect(loadConfig({ TILLGATE_MIGRATE: text }, "/srv")).toMatchObject({ ok: true, value: { migrates } });
});

it("lists everything that production lacks at once", () => {
  const config = loadConfig({ TILLGATE_MODE: "production", PORT: "99999" }, "/srv");
  expect(config.ok).toBe(false);
  const faults = config.ok ? [] : config.error;
  const names = ["DATABASE_URL", "TILLGATE_PUBLIC_URL", "TILLGATE_MASTER_KEY", "TILLGATE_TRUSTED_PROXIES", "PORT"];
  for (const name of names) {
    expect(faults.some((line) => line.startsWith(`${name} `))).toBe(true);
  }
  expect(faults).toHaveLength(5);
});

it("takes a whole production configuration", () => {
  const config = loadConfig(
    {
      TILLGATE_MODE: "production",
      DATABASE_URL: "postgresql://u:p@db/tillgate",
      TILLGATE_PUBLIC_URL: "https://pay.example.com/",
      TILLGATE_MASTER_KEY: KEY,
      TILLGATE_MASTER_KEY_PREVIOUS: KEY,
      TILLGATE_TRUSTED_PROXIES: "10.0.0.0/8, 192.0.2.7",
    },
    "/srv",
  );
  expect(config).toMatchObject({ ok: true, value: { publicUrl: "https://pay.example.com", host: "0.0.0.0" } });
  expect(JSON.stringify(config)).not.toContain(KEY);
  expect(JSON.stringify(config)).not.toContain("u:p");
});

it("takes the operator's name as plain text", () => {
  const nameOf = (text: string) => {
    const config = loadConfig({ TILLGATE_OPERATOR_NAME: text }, "/srv");
    return config.ok ? config.value.operatorName : config.error;
  };
  expect(nameOf(" ООО «Касса» ")).toBe("ООО «Касса»");
  expect(nameOf(" ")).toBeUndefined();
  for (const wrong of ["a\nb", "\u202egnp", "x".repeat(129)]) {
    expect(nameOf(wrong)).toEqual(["TILLGATE_OPERATOR_NAME must be plain text of at most 128 characters"]);
  }
});

it("production has the proxies in front of it named, or says that there are none", () => {
  const env = {
    TILLGATE_MODE: "production",
    DATABASE_URL: "postgresql://db/x",
    TILLGATE_PUBLIC_URL: "https://pay.example.com",
    TILLGATE_MASTER_KEY: KEY,
  };
  const proxiesOf = (text: string | undefined) => {
    const config = loadConfig({ ...env, TILLGATE_TRUSTED_PROXIES: text }, "/srv");
    return config.ok ? config.value.trustedProxies : config.error;
  };
  for (const missing of [undefined, "", " "]) {
    expect(proxiesOf(missing)).toEqual([
      "TILLGATE_TRUSTED_PROXIES is missing: the addresses of the proxies in front of this service, or none",
    ]);
  }
  expect(proxiesOf("none")).toEqual([]);
  expect(proxiesOf("10.0.0.0/8")).toEqual(["10.0.0.0/8"]);
  expect(proxiesOf("none, 10.0.0.1")).toEqual([expect.stringContaining('"none" is neither')]);
  expect(loadConfig({}, "/srv")).toMatchObject({ ok: true, value: { trustedProxies: [] } });
});

it.each([
  ["TILLGATE_MODE", "prod"],
  ["PORT", "80a"],
  ["PORT", "-1"],
  ["TILLGATE_MASTER_KEY", "short"],
  ["DATABASE_URL", "mysql://u:hunter2@db/x"],
  ["DATABASE_URL", "postgresql://u:hunter2@db1,db2:x/x"],
  ["TILLGATE_READ_DATABASE_URL", "postgresql://u:hunter2@db/x?target_session_attrs=replica"],
  ["DATABASE_DIRECT_URL", "postgresql://u:hunter2@db/x"],
  ["TILLGATE_PUBLIC_URL", "ftp://x"],
  ["TILLGATE_TRUSTED_PROXIES", "10.0.0.0/99"],
  ["TILLGATE_LOG_LEVEL", "loud"],
  ["TILLGATE_MIGRATE", "no"],
])("refuses %s=%s", (name, value) => {
  const config = loadConfig({ [name]: value }, "/srv");
  expect(config.ok).toBe(false);
  expect(config.ok ? [] : config.error).toHaveLength(1);
  expect(JSON.stringify(config)).not.toContain("hunter2");
});

it("refuses http for the public address in production", () => {
  const env = { TILLGATE_MODE: "production", DATABASE_URL: "postgres://db/x", TILLGATE_MASTER_KEY: KEY };
  expect(loadConfig({ ...env, TILLGATE_PUBLIC_URL: "http://pay.example.com" }, "/").ok).toBe(false);
});
