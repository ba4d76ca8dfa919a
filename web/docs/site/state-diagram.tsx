import { render } from "preact-render-to-string";
import { type Machine, type Machines, shortName, stepsOf, wordsOfEvent } from "./machines.ts";
import { escapeHtml, renderTable } from "./markdown.ts";

/*
 * Drawn from the tables of the code. The final states are bars above and below, so that the way into them is a straight line;
 * processing states have a column each, and disputes stand between the columns, where no such line passes.
 */
const PITCH = 210;
const BOX = { width: 172, height: 44 };
const MARGIN = 16;
const ROW = { success: 16, processing: 112, dispute: 236, decline: 344 };
const HEIGHT = ROW.decline + BOX.height + MARGIN;

type Box = { readonly x: number; readonly y: number; readonly width: number };

const TITLES: Readonly<Record<keyof Machines, string>> = {
  p2p: "States of a P2P pay-in",
  card: "States of a card pay-in",
  payout: "States of a payout",
};

export function renderStates(kind: keyof Machines, machine: Machine): string {
  const drawing = render(<Diagram kind={kind} machine={machine} />);
  // It can be scrolled on a phone, so it can be focused: otherwise a keyboard could not reach its right side.
  const figure = `<figure class="diagram" tabindex="0" role="group" aria-label="${TITLES[kind]}">${drawing}</figure>\n`;
  return figure + renderSteps(kind, machine);
}

function Diagram({ kind, machine }: { readonly kind: keyof Machines; readonly machine: Machine }) {
  const { boxes, width } = placeStates(machine);
  return (
    <svg
      viewBox={`0 0 ${width} ${HEIGHT}`}
      width={width}
      height={HEIGHT}
      role="img"
      aria-label={`${TITLES[kind]}; the table below says the same in words.`}
    >
      <defs>
        <marker id={`arrow-${kind}`} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
          <path class="arrow-head" d="M0 0L8 4L0 8z" />
        </marker>
      </defs>
      {stepsOf(machine).map(({ from, to }) => (
        <path
          key={`${from} ${to}`}
          class={`arrow to-${to.split(":")[0]}`}
          d={lineBetween(boxes, from, to)}
          marker-end={`url(#arrow-${kind})`}
        />
      ))}
      {[...boxes].map(([state, { x, y, width: wide }]) => (
        <g key={state} class={`state ${state.split(":")[0]}`}>
          <rect x={x} y={y} width={wide} height={BOX.height} rx={8} />
          <text x={x + wide / 2} y={y + BOX.height / 2 + 5} text-anchor="middle">
            {shortName(state)}
          </text>
        </g>
      ))}
    </svg>
  );
}

function placeStates(machine: Machine): { boxes: Map<string, Box>; width: number } {
  const states = Object.keys(machine);
  const processing = states.filter((state) => state.startsWith("processing:"));
  const disputes = states.filter((state) => state.startsWith("dispute:"));
  const columns = Math.max(processing.length, disputes.length + 1);
  const width = 2 * MARGIN + (columns - 1) * PITCH + BOX.width;
  const bar = { x: MARGIN, width: width - 2 * MARGIN };
  const firstDispute = columns - 1 - disputes.length;
  return {
    width,
    boxes: new Map<string, Box>([
      ["success", { ...bar, y: ROW.success }],
      ...processing.map((state, at): [string, Box] => [
        state,
        { x: MARGIN + at * PITCH, y: ROW.processing, width: BOX.width },
      ]),
      ...disputes.map((state, at): [string, Box] => [
        state,
        { x: MARGIN + (firstDispute + at + 0.5) * PITCH, y: ROW.dispute, width: BOX.width },
      ]),
      ["decline", { ...bar, y: ROW.decline }],
    ]),
  };
}

function lineBetween(boxes: ReadonlyMap<string, Box>, from: string, to: string): string {
  const a = boxes.get(from);
  const b = boxes.get(to);
  if (a === undefined || b === undefined) throw new Error(`there is no state ${a === undefined ? from : to}`);
  const middle = a.x + a.width / 2;
  // Up and down lines of one state stand apart from each other.
  if (to === "success") return `M${middle - 12} ${a.y}V${b.y + BOX.height + 2}`;
  if (to === "decline") return `M${middle + 12} ${a.y + BOX.height}V${b.y - 2}`;
  return a.y === b.y ? lineAlong(a, b) : lineAcross(a, b);
}

/** Within a row: straight to a neighbour, below the row past others. */
function lineAlong(a: Box, b: Box): string {
  const isForward = b.x > a.x;
  const isNear = Math.abs(b.x - a.x) <= PITCH;
  const y = a.y + BOX.height / 2 + (isForward ? -8 : 8);
  if (isNear && isForward) return `M${a.x + a.width} ${y}H${b.x - 2}`;
  if (isNear) return `M${a.x} ${y}H${b.x + b.width + 2}`;
  const bottom = a.y + BOX.height;
  const [start, end] = isForward ? [a.x + a.width - 28, b.x + 28] : [a.x + 28, b.x + b.width - 28];
  return `M${start} ${bottom}C${start} ${bottom + 34} ${end} ${bottom + 34} ${end} ${bottom + 2}`;
}

/** Between the rows: a curve that leaves and arrives upright. */
function lineAcross(a: Box, b: Box): string {
  const isDown = b.y > a.y;
  const toRight = b.x > a.x;
  const start = a.x + a.width / 2 + (toRight ? 40 : -40);
  const end = b.x + b.width / 2 + (toRight ? -40 : 40) + (isDown ? -8 : 8);
  const [top, bottom] = isDown ? [a.y + BOX.height, b.y - 2] : [a.y, b.y + BOX.height + 2];
  const half = (top + bottom) / 2;
  return `M${start} ${top}C${start} ${half} ${end} ${half} ${end} ${bottom}`;
}

function renderSteps(kind: keyof Machines, machine: Machine): string {
  const code = (state: string) => `<code>${escapeHtml(shortName(state))}</code>`;
  const rows = stepsOf(machine).map(({ from, to, events }) => [
    code(from),
    code(to),
    escapeHtml(events.map((event) => wordsOfEvent(kind, event)).join("; ")),
  ]);
  const table = renderTable(["From", "To", "When"], rows);
  return `<details class="steps"><summary>Every step in words (${rows.length})</summary>${table}</details>\n`;
}
