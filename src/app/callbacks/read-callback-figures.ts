import type { Id } from "../../core/ids.ts";
import { type CallbackFigures, getCallbackFigures } from "../../store/callbacks/callback-figures.ts";
import type { Database } from "../../store/db.ts";

export type { CallbackFigures } from "../../store/callbacks/callback-figures.ts";

/** How callbacks stand, for gauges and for operators; of one project, or of all. One statement. */
export function readCallbackFigures(db: Pick<Database, "run">, projectId?: Id): Promise<CallbackFigures> {
  return getCallbackFigures(db, projectId);
}
