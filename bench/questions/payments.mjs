// How many whole payments a second, and what does each cost: from the create to the callback of its success?
import { oneByOne } from "../ask.mjs";
import { publishedCpu } from "../kit/cpu-parts.mjs";
import { openLimit } from "../kit/limit.mjs";
import { openMerchant } from "../kit/merchant.mjs";
import { withDatabase } from "../kit/projects.mjs";
import { startService } from "../kit/service.mjs";

const PROJECTS = 10;
/** Until V8 has compiled what a payment needs: its compiler takes as much as a tenth of what the first ones cost. */
const WARMUP_COUNT_MAX = 2_000;
const HALF_SECONDS = 15;
const LIMIT_SECONDS = 3;
/** Of the service and PostgreSQL, for a pay-in with callbacks by HMAC; the sandbox is apart. */
const CPU_MS_MAX = 4;
const ENV = { TILLGATE_AUTH_FAILURES_BURST: "100000" };

/** `atOnce`: how many are under way when the peak is looked for; those of a pay-in that wait for the bank do not count. */
const FLOWS = [
  { name: "whole pay-in, callbacks by HMAC", kind: "payin", signing: "hmac", atOnce: 500, aim: 0.1 },
  { name: "whole pay-in, callbacks by RSA", kind: "payin", signing: "rsa", atOnce: 500, aim: 0.05 },
  { name: "whole payout", kind: "payout", signing: "hmac", atOnce: 2_000 },
  { name: "whole card payment", kind: "card", signing: "hmac", atOnce: 500 },
];

export async function benchPayments({ count = 2_000 }) {
  const service = await startService({ env: ENV });
  const merchant = await openMerchant(service);
  try {
    return await withDatabase(service.database, async (client) => {
      const limit = await openLimit(service);
      const shops = {
        hmac: await merchant.addProjects(PROJECTS, { signing: "hmac", funded: true }),
        rsa: await merchant.addProjects(PROJECTS, { signing: "rsa" }),
      };
      const bench = { service, merchant, client, limit, shops, count };
      return report(limit, count, await oneByOne(FLOWS, (flow) => measureFlow(bench, flow)));
    });
  } finally {
    merchant.stop();
    await service.stop();
  }
}

/** The limit just before the peak and just after it, since other work on the machine comes and goes. */
async function measureFlow({ service, merchant, client, limit, shops, count }, { kind, signing, atOnce }) {
  const load = { kind, projectIds: shops[signing] };
  await merchant.work({ ...load, count: Math.min(WARMUP_COUNT_MAX, count), atOnce: 100 });
  const before = await limit.measure(LIMIT_SECONDS);
  const peak = await merchant.measure(client, { ...load, count, atOnce });
  const after = await limit.measure(LIMIT_SECONDS);
  const perSecond = peak.perSecond / 2;
  const half = await merchant.measure(client, { ...load, count: Math.ceil(perSecond * HALF_SECONDS), perSecond });
  return { limit: (before + after) / 2, peak, half, rssMb: service.rssMb() };
}

function report(limit, count, { figures, failure }) {
  const measured = FLOWS.filter(({ name }) => name in figures);
  const rows = measured.map(({ name, aim, kind, signing }) => {
    const { peak, half, rssMb, limit: limitRate } = figures[name];
    const ratio = peak.perSecond / limitRate;
    const cpu = publishedCpu(peak.cpuMs);
    const isFirst = kind === "payin" && signing === "hmac";
    const costMs = cpu.serviceMs + cpu.postgresMs;
    const met = (aim === undefined || ratio >= aim) && (!isFirst || costMs <= CPU_MS_MAX);
    const { p50Ms, p99Ms, p999Ms } = half;
    return {
      ...{ name, ratio, of: "bare transaction", aim, met: aim === undefined ? undefined : met },
      ...{ perSecond: peak.perSecond, p50Ms, p99Ms, p999Ms, ...cpu, rssMb },
      callbacks: peak.callbacks / count,
      halfCpuMs: publishedCpu(half.cpuMs),
    };
  });
  const limits = measured.map(({ name }) => figures[name].limit);
  return {
    question: `whole payments, from the create to the callback of the success; ${count} of each at the peak`,
    published: true,
    rows: [...rows, { name: limit.name, perSecond: limits.reduce((sum, rate) => sum + rate, 0) / limits.length }],
    notes: [
      "Latencies are at half of the peak, without the 2 s that the sandbox's bank takes for a transfer.",
      `A pay-in with callbacks by HMAC is to cost at most ${CPU_MS_MAX} ms of service and PostgreSQL.`,
      ...rows.map(({ name, halfCpuMs: { serviceMs, postgresMs }, callbacks }) => {
        const cost = `service ${serviceMs.toFixed(2)} ms, PostgreSQL ${postgresMs.toFixed(2)} ms`;
        return `${name}: ${callbacks.toFixed(1)} callbacks each; at half of the peak ${cost}`;
      }),
    ],
    figures,
    failure,
  };
}
