import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import type { Language } from "../../kit/language.ts";

/** One value for each moment; the label says what it is. */
type ChartSeries = {
  readonly label: string;
  readonly values: readonly number[];
  readonly colour: "--accent" | "--chart-soft";
};

type ChartProps = {
  readonly label: string;
  /** Seconds since 1970. */
  readonly moments: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly isHourly: boolean;
  readonly language: Language;
  readonly format: (value: number) => string;
};

const HEIGHT_PX = 180;
const BAR_SHARE = 0.62;
const BAR_WIDTH_MAX_PX = 44;

/** Bars over time. What the pointer is at is written above; the figures are also in a table for those who read them. */
export function Chart(props: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<number>();
  const theme = useTheme();
  useEffect(() => {
    const target = place.current;
    if (target === null) return;
    const plot = new uPlot(optionsOf(props, target, setAt), dataOf(props), target);
    const observer = new ResizeObserver(() => plot.setSize({ width: target.clientWidth, height: HEIGHT_PX }));
    observer.observe(target);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [props.moments, props.series, props.language, theme]);
  const shownAt = at ?? props.moments.length - 1;
  const moment = props.moments[shownAt];
  return (
    <div class="chart">
      <p class="chart-reading" aria-hidden="true">
        {moment === undefined ? null : <span>{momentText(moment, props)}</span>}
        {props.series.map(({ label, values, colour }) => (
          <span key={label} class="chart-key">
            <i class={colour === "--accent" ? "swatch" : "swatch soft"} />
            {label} <strong>{props.format(values[shownAt] ?? 0)}</strong>
          </span>
        ))}
      </p>
      <div ref={place} role="img" aria-label={props.label} />
    </div>
  );
}

function dataOf({ moments, series }: ChartProps): uPlot.AlignedData {
  return [[...moments], ...series.map(({ values }) => [...values])];
}

function optionsOf(props: ChartProps, target: HTMLElement, onPointer: (index?: number) => void): uPlot.Options {
  const colour = (name: string) => getComputedStyle(target).getPropertyValue(name).trim();
  const axis = {
    stroke: colour("--soft"),
    font: "12px system-ui, sans-serif",
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
  };
  return {
    width: target.clientWidth,
    height: HEIGHT_PX,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: {
      x: { range: (_plot, min, max) => padded(min, max, props.moments) },
      y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.1 : 1] },
    },
    axes: [
      {
        ...axis,
        size: 26,
        grid: { show: false },
        splits: () => thinned(props.moments, target.clientWidth),
        values: (_plot, splits) => splits.map((moment) => momentText(moment, props)),
      },
      { ...axis, size: 64, values: (_plot, splits) => splits.map((value) => shortNumber(value, props.language)) },
    ],
    series: [
      {},
      ...props.series.map(({ label, colour: name }) => ({
        label,
        stroke: colour(name),
        fill: colour(name),
        ...(uPlot.paths.bars === undefined
          ? {}
          : { paths: uPlot.paths.bars({ size: [BAR_SHARE, BAR_WIDTH_MAX_PX], radius: 0.12 }) }),
        points: { show: false },
      })),
    ],
    hooks: { setCursor: [(plot) => onPointer(plot.cursor.idx ?? undefined)] },
  };
}

/** Half a bar's room at both ends. */
function padded(min: number, max: number, moments: readonly number[]): [number, number] {
  const step = moments.length > 1 ? (moments[1] ?? 0) - (moments[0] ?? 0) : 3_600;
  return [min - step / 2, max + step / 2];
}

const LABEL_WIDTH_PX = 84;

/** As many labels as have room, and the last one always: it is today. */
function thinned(moments: readonly number[], width: number): number[] {
  const every = Math.max(1, Math.ceil((moments.length * LABEL_WIDTH_PX) / Math.max(width, 1)));
  return moments.filter((_moment, index) => (moments.length - 1 - index) % every === 0);
}

function momentText(moment: number, { isHourly, language }: Pick<ChartProps, "isHourly" | "language">): string {
  const locale = language === "en" ? "en-GB" : language;
  const date = new Date(moment * 1_000);
  return isHourly
    ? new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" }).format(date)
    : new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" }).format(date);
}

function shortNumber(value: number, language: Language): string {
  return new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 }).format(value);
}

/** Changes with the theme, because a canvas does not follow the style sheet by itself. */
function useTheme(): boolean {
  const query = matchMedia("(prefers-color-scheme: dark)");
  const [isDark, setDark] = useState(query.matches);
  useEffect(() => {
    const onChange = () => setDark(query.matches);
    query.addEventListener("change", onChange);
    return () => query.removeEventListener("change", onChange);
  }, []);
  return isDark;
}
