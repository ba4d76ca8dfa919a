import type { Command } from "../kit/command.ts";
import { optional, readChoice } from "../kit/option-values.ts";

export const start: Command = {
  name: "start",
  audience: "everyone",
  summary: "Start the service.",
  arguments: [],
  options: {
    role: { type: "string", value: "api|worker|all", help: "what this process does; all is the default" },
  },
  notes: [
    "Development mode (the default) needs nothing: it brings its own PostgreSQL and a sandbox merchant.",
    "Production mode: TILLGATE_MODE=production with DATABASE_URL, TILLGATE_PUBLIC_URL, TILLGATE_MASTER_KEY and TILLGATE_TRUSTED_PROXIES.",
    "A secret may be in a file: DATABASE_URL_FILE and TILLGATE_MASTER_KEY_FILE name the files.",
    "--role api answers merchants, --role worker processes payments; any number of each can share a database.",
  ],
  run: (context, input) =>
    context.startService(
      optional(input, "role", (text, name) => readChoice(text, name, ["api", "worker", "all"])) ?? "all",
    ),
};
