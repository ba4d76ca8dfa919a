import { render } from "preact";
import type { Operation } from "../operations.ts";
import { CheckForm } from "./check-form.tsx";
import { TryIt } from "./try-it.tsx";

export function mountTryIt(place: Element, operation: Operation): void {
  render(<TryIt operation={operation} />, place);
}

export function mountCheckForm(place: Element, paths: readonly string[]): void {
  render(<CheckForm paths={paths} />, place);
}
