import type { Command } from "./command.ts";

export const start: Command = {
  name: "start",
  summary: "Start the service.",
  arguments: [],
  options: {},
  notes: [
    "Development mode (the default) needs nothing: it brings its own PostgreSQL and a sandbox merchant.",
    "Production mode: TILLGATE_MODE=production with DATABASE_URL, TILLGATE_PUBLIC_URL and TILLGATE_MASTER_KEY.",
  ],
  run: (context) => context.startService(),
};
