import "../styles/samples.css";
import type { Operation } from "../operations.ts";
import { mountSample } from "./mount.tsx";
import { sampleCallOf } from "./sample.ts";

/** Called once on every page of `/docs`. It mounts into `[data-samples]` of each `section.operation`. */
export function mountSamples(operations: readonly Operation[]): void {
  for (const operation of operations) {
    const place = document.getElementById(operation.anchor)?.querySelector("[data-samples]");
    const call = sampleCallOf(operation);
    if (place !== null && place !== undefined && call !== undefined) mountSample(place, call);
  }
}
