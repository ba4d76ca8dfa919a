import { readDocument } from "./document-commands.ts";

type Source = { readonly uid: string };
type Target = { readonly refId: string; readonly expr: string; readonly datasource: Source };

type Panel = {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description: string;
  readonly datasource: Source;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets: readonly Target[];
};

type Dashboard = {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string }[] };
};

export function readDashboard(): Dashboard {
  return JSON.parse(readDocument("deploy/monitoring/grafana-dashboard.json")) as Dashboard;
}

/** Those that show something; the others are headings. */
export function listPanels({ panels }: Dashboard): Panel[] {
  return panels.filter(({ type }) => type !== "row");
}
