import type { Database } from "../../store/db.ts";
import type { Directory } from "../merchants/directory.ts";
import type { ExportPlaces } from "./open-export.ts";

/** What the reads of the personal account stand on. */
export type ReportDeps = {
  /** A read replica where there is one, or else the database itself. */
  readonly reportsDb: Database;
  readonly exportPlaces: ExportPlaces;
  readonly currentDirectory: () => Directory | Promise<Directory>;
};
