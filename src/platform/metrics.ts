import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** What Prometheus reads. Labels have few values by design: routes, not paths; codes, not messages. */
export type Metrics = {
  readonly registry: Registry;
  readonly observeRequest: (seen: {
    route: string;
    status: number;
    seconds: number;
    faultCode: string | undefined;
  }) => void;
  readonly gauge: (name: string, help: string, read: () => number) => void;
  /** One figure for each set of labels, read at each scrape; a figure that cannot be read is left out. */
  readonly gauges: (
    name: string,
    help: string,
    labels: readonly string[],
    read: () => Promise<LabelledFigure[]>,
  ) => void;
  /** What is counted as it happens; the values are those of the labels, in their order. */
  readonly counter: (name: string, help: string, labels: readonly string[]) => (...values: string[]) => void;
  readonly histogram: (
    name: string,
    help: string,
    labels: readonly string[],
    buckets: readonly number[],
  ) => (value: number, ...values: string[]) => void;
};

export type LabelledFigure = { readonly labels: Readonly<Record<string, string>>; readonly value: number };

const SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export function openMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: "tillgate_http_requests_total",
    help: "Requests answered, by route and status",
    labelNames: ["route", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "tillgate_http_request_duration_seconds",
    help: "Time from the request's headers to the end of the answer, by route",
    labelNames: ["route"],
    buckets: SECONDS_BUCKETS,
    registers,
  });
  const faults = new Counter({
    name: "tillgate_faults_total",
    help: "Error answers, by code",
    labelNames: ["code"],
    registers,
  });

  // A label set is looked up once and kept: routes and statuses are few.
  const children = new Map<string, { count: Counter.Internal; time: Histogram.Internal<"route"> }>();
  const childOf = (route: string, status: number) => {
    const name = `${status} ${route}`;
    const known = children.get(name);
    if (known !== undefined) return known;
    const made = { count: requests.labels(route, String(status)), time: durations.labels(route) };
    children.set(name, made);
    return made;
  };

  return {
    registry,
    counter: (name, help, labels) => openCounter(registry, { name, help, labels }),
    histogram: (name, help, labelNames, buckets) => {
      const options = { name, help, labelNames: [...labelNames], buckets: [...buckets], registers };
      const histogram = new Histogram(options);
      const childOf = keptByLabels((values) => histogram.labels(...values));
      return (value, ...values) => childOf(values).observe(value);
    },
    observeRequest: ({ route, status, seconds, faultCode }) => {
      const { count, time } = childOf(route, status);
      count.inc();
      time.observe(seconds);
      if (faultCode !== undefined) faults.inc({ code: faultCode });
    },
    gauges: (name, help, labelNames, read) => {
      new Gauge({
        name,
        help,
        labelNames: [...labelNames],
        registers,
        async collect() {
          this.reset();
          // A reset gauge without labels is 0, which would say that all is well while the figure cannot be read.
          if (labelNames.length === 0) this.remove();
          for (const { labels, value } of await read().catch(() => [])) this.set({ ...labels }, value);
        },
      });
    },
    gauge: (name, help, read) => {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });
    },
  };
}

/** The child of each set of labels, looked up once: the library's own way sorts and joins the labels each time. */
function keptByLabels<T>(find: (values: string[]) => T): (values: string[]) => T {
  const children = new Map<string, T>();
  return (values) => {
    const name = values.join(" ");
    const known = children.get(name);
    if (known !== undefined) return known;
    const made = find(values);
    children.set(name, made);
    return made;
  };
}

type CounterOptions = { readonly name: string; readonly help: string; readonly labels: readonly string[] };

/** Counts are kept here and handed over at a scrape: the library hashes the labels at each count, which takes a microsecond. */
function openCounter(registry: Registry, { name, help, labels }: CounterOptions): (...values: string[]) => void {
  const counts = new Map<string, { readonly values: string[]; count: number }>();
  new Counter({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
    collect() {
      this.reset();
      for (const { values, count } of counts.values()) this.labels(...values).inc(count);
    },
  });
  return (...values) => {
    const key = values.join(" ");
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { values, count: 1 });
    else known.count += 1;
  };
}
